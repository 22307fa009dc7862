internal import ActivityClient

/// A backend's connection: writes go out without waiting for answers, and what wasn't answered when
/// the connection broke goes out again.
final class SimulatedPublisher {
  private struct Write {
    let operation: String
    let keys: JSONObject
    /// The code with which it is to be refused.
    let refusal: String?
  }

  private let address: ServerAddress
  private let identity: Identity
  private var connection: Connection?
  private var backoff = Backoff(shortest: .milliseconds(100), longest: .seconds(5))
  private var retryAt = ContinuousClock.now
  /// What waits for its answer, in order; the first `sentCount` of it have been sent.
  private var writes: ArraySlice<Write> = []
  private var sentCount = 0

  /// What may wait for answers, so that sending never has to wait for the daemon.
  private static let writesMax = 256

  init(_ address: ServerAddress, identity: Identity) {
    self.address = address
    self.identity = identity
  }

  /// Whether it takes a further write.
  var hasRoom: Bool { writes.count < Self.writesMax }

  /// Whether every write has been answered.
  var isIdle: Bool { writes.isEmpty }

  /// For `poll`: readable when `turn` has something to do.
  var descriptor: CInt? { connection?.descriptor }

  /// - Parameter refusal: the code with which it is to be refused, if it is.
  func write(_ operation: String, _ keys: JSONObject, refusal: String? = nil) {
    writes.append(Write(operation: operation, keys: keys, refusal: refusal))
  }

  /// Connects if need be, sends what is to be sent, and takes the answers that have come.
  ///
  /// - Throws: what no repetition cures.
  func turn(_ seen: inout Measurements) throws(Failure) {
    do throws(ClientError) {
      guard let connection = try connected() else { return }
      while sentCount < writes.count {
        let write = writes[writes.startIndex + sentCount]
        try connection.send(write.operation, write.keys)
        sentCount += 1
      }
      while let message = try connection.receive(within: .zero) { try take(message, &seen) }
    } catch {
      guard error.isTemporary else { throw Failure(error) }
      connection = nil
      retryAt = ContinuousClock.now + backoff.next(after: error)
    }
  }

  private func connected() throws(ClientError) -> Connection? {
    if let connection { return connection }
    guard ContinuousClock.now >= retryAt else { return nil }
    let client = Client(address, identity: identity)
    connection = try client.connected()
    sentCount = 0
    return connection
  }

  private func take(_ message: Message, _ seen: inout Measurements) throws(ClientError) {
    switch message {
    case .answer(let line):
      guard let write = next() else { return }
      if write.refusal != nil {
        seen.acceptedWrongly += 1
      } else if line.string("outcome") == "noop" {
        seen.noops += 1
      } else {
        seen.applied += 1
      }
    case .refusal(let refusal):
      // What follows would only overtake it: all of it is sent again, later.
      let isForbidden = ["forbidden", "unauthorized"].contains(refusal.code)
      guard !refusal.isRetryable, !isForbidden else { throw .refused(refusal) }
      guard let write = next() else { return }
      seen.refuse(refusal.code, isRight: write.refusal == refusal.code)
    case .event, .item: break
    }
  }

  /// Takes out the write that has just been answered.
  private func next() -> Write? {
    backoff.reset()
    guard let write = writes.popFirst() else { return nil }
    sentCount -= 1
    return write
  }
}
