/// One connection to the daemon. Calls block until they have what they are for.
///
/// It never reconnects; `Client` and `Follower` do. For use by one thread at a time.
public final class Connection {
  /// With whom it is.
  public let address: ServerAddress
  /// How the daemon greeted.
  public let welcome: Welcome
  /// What the connection may do, as the greeting or the answer to a `hello` says: `device`,
  /// `publisher` or `admin`.
  public private(set) var role: String
  /// How long a request may take, from sending it to the last line of its answer.
  public var patience: Duration = .seconds(30)

  private let channel: LineChannel
  /// Events that came while an answer was waited for.
  private var events: ArraySlice<Message> = []

  /// Connects and waits for the greeting.
  ///
  /// - Parameters:
  ///   - within: how long that may take.
  ///   - tls: with what TLS is spoken, where the address says so.
  /// - Throws: `unreachable`; `refused` or `lost`, if the daemon doesn't want us now; `notUnderstood`,
  ///   if somebody else listens there.
  public init(
    to address: ServerAddress, within: Duration = .seconds(5), tls: TLSFiles = TLSFiles()
  ) throws(ClientError) {
    self.address = address
    let deadline = ContinuousClock.now + within
    do throws(SystemError) {
      channel = try LineChannel(address, tls, within: within)
    } catch {
      throw .unreachable(address, reason: error.reason)
    }
    do throws(ClientError) {
      try channel.shakeHands(until: deadline)
    } catch {
      throw .unreachable(address, reason: error.reasonOfLoss)
    }
    welcome = try Self.greeting(on: channel, of: address, until: deadline)
    role = welcome.role
  }

  private static func greeting(
    on channel: LineChannel, of address: ServerAddress, until deadline: ContinuousClock.Instant
  ) throws(ClientError) -> Welcome {
    while true {
      switch try channel.nextMessage(until: deadline) {
      case .event(let event)?:
        guard let welcome = Welcome(event) else { throw .notUnderstood(event.line.text) }
        return welcome
      case .refusal(let refusal)? where refusal.isRetryable: throw .refused(refusal)
      case .refusal(let refusal)?: throw .notUnderstood("\(refusal)")
      case .answer(let line)?, .item(let line)?: throw .notUnderstood(line.text)
      case nil:
        guard ContinuousClock.now < deadline else {
          throw .unreachable(address, reason: "it doesn't greet")
        }
      }
    }
  }

  /// For `poll`: readable when something has come, once `hasArrived` is false. Not to be read from.
  public var descriptor: Int32 { channel.descriptor }

  /// Whether `receive` has something that it needn't wait for.
  public var hasArrived: Bool { !events.isEmpty || channel.hasArrived }
}

extension Connection {
  /// Sends a request without waiting for its answer, which `receive` will give.
  ///
  /// - Parameters:
  ///   - operation: the `op`, as `start`.
  ///   - keys: the request's other keys.
  public func send(_ operation: String, _ keys: JSONObject = [:]) throws(ClientError) {
    let members = [JSONObject.Member(key: "op", value: .string(operation))] + keys.members
    try send(line: JSONObject(members).text)
  }

  /// Sends a line as it is.
  public func send(line: String) throws(ClientError) {
    let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
    try channel.send(bytes, until: ContinuousClock.now + patience)
  }

  /// The next line from the daemon.
  ///
  /// - Parameters:
  ///   - within: how long to wait; for ever if nil.
  ///   - other: a descriptor that ends the waiting as well when it can be read.
  /// - Returns: nil if nothing came, or a signal did.
  /// - Throws: `lost` or `superseded` after the last line; an event `bye` isn't given, it is thrown.
  public func receive(
    within: Duration? = nil, or other: Int32? = nil
  ) throws(ClientError) -> Message? {
    if let event = events.popFirst() { return event }
    return try channel.nextMessage(until: within.map { ContinuousClock.now + $0 }, or: other)
  }

  /// Sends a request and waits for its answer. Events that come meanwhile are kept for `receive`.
  /// No answer to an earlier request may be due.
  ///
  /// - Throws: `refused`, `lost`, `superseded` or `timedOut`.
  public func request(
    _ operation: String, _ keys: JSONObject = [:]
  ) throws(ClientError) -> Answer {
    let deadline = ContinuousClock.now + patience
    try send(operation, keys)
    var items: [JSONObject] = []
    while true {
      switch try channel.nextMessage(until: deadline) {
      case .answer(let line)?:
        if operation == "hello" { role = line.string("role") ?? role }
        return Answer(line: line, items: items)
      case .refusal(let refusal)?: throw .refused(refusal)
      case .item(let item)?: items.append(item)
      case .event(let event)?: events.append(.event(event))
      case nil: guard ContinuousClock.now < deadline else { throw .timedOut }
      }
    }
  }
}

/// What the daemon answered to a request that it carried out.
public struct Answer: Hashable, Sendable {
  /// The last line.
  public let line: JSONObject
  /// What the lines before it hold: the activities of a `list`, the clients of `clients`.
  public let items: [JSONObject]
}
