internal import ActivityWire

/// Asks the daemon for things, for as long as it takes: connects when needed, and repeats what got
/// no answer. A write is carried out once, however often it is repeated: it has an idempotency
/// key.
///
/// ```swift
/// let client = Client(.local, patience: .seconds(30))
/// try client.request(
///   "start",
///   ["id": "order-1", "attributes-type": "Delivery", "content-state": ["status": "preparing"]])
/// ```
///
/// For use by one thread at a time.
public final class Client {
  /// Where the daemon is.
  public let address: ServerAddress
  /// How it introduces itself there.
  public let identity: Identity
  /// For how long a request is repeated that fails for a reason that may pass.
  public let patience: Duration

  private var connection: Connection?
  private var backoff = Backoff(shortest: .milliseconds(100), longest: .seconds(5))

  /// Connects with the first request only.
  public init(_ address: ServerAddress, identity: Identity = Identity(), patience: Duration = .zero)
  {
    self.address = address
    self.identity = identity
    self.patience = patience
  }

  /// The connection in use, made if there is none, for as long as that takes.
  ///
  /// - Throws: what was wrong with the last attempt.
  public func connected() throws(ClientError) -> Connection {
    try repeating { () throws(ClientError) in try connect() }
  }

  /// Sends a request and waits for its answer, repeating it if need be.
  ///
  /// - Parameters:
  ///   - operation: the `op`, as `start`.
  ///   - keys: the request's other keys. To a write without `idempotency-key` one is added.
  /// - Throws: what was wrong with the last attempt.
  @discardableResult
  public func request(
    _ operation: String, _ keys: JSONObject = [:]
  ) throws(ClientError) -> Answer {
    var keys = keys
    if Operation(rawValue: operation)?.writes ?? false, keys["idempotency-key"] == nil {
      keys["idempotency-key"] = .string(FreshName.make())
    }
    return try repeating { () throws(ClientError) in try connect().request(operation, keys) }
  }

  private func connect() throws(ClientError) -> Connection {
    if let connection { return connection }
    let connection = try Connection(to: address, tls: identity.tls)
    if let hello = identity.hello() { _ = try connection.request("hello", hello) }
    self.connection = connection
    return connection
  }

  /// Does it again while it fails for a reason that may pass, and there is patience left.
  private func repeating<Result>(
    _ attempt: () throws(ClientError) -> Result
  ) throws(ClientError) -> Result {
    let deadline = ContinuousClock.now + patience
    while true {
      do throws(ClientError) {
        let result = try attempt()
        backoff.reset()
        return result
      } catch {
        if !Self.isOfRequest(error) { connection = nil }
        let wait = backoff.next(after: error)
        guard error.isTemporary, ContinuousClock.now + wait < deadline else { throw error }
        ActivityClient.wait(for: nil, until: ContinuousClock.now + wait)
      }
    }
  }

  /// Whether the connection may be used again: it is the request that was refused.
  private static func isOfRequest(_ error: ClientError) -> Bool {
    if case .refused(let refusal) = error { refusal.code != "shutting-down" } else { false }
  }
}
