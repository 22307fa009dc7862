/// Why something that was asked of the daemon didn't come about.
public enum ClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nobody answers there.
  case unreachable(ServerAddress, reason: String)
  /// The connection broke, or the daemon said good-bye, and perhaps when to come back. Whether what
  /// was under way has been carried out is unknown.
  case lost(reason: String, retryAfter: Duration? = nil)
  /// Nothing came within the time that was given.
  case timedOut
  /// What came isn't a line of the protocol.
  case notUnderstood(String)
  /// The same device has connected again, and the daemon serves that connection.
  case superseded
  /// The daemon refused.
  case refused(Refusal)

  /// A sentence for a person.
  public var description: String {
    switch self {
    case .unreachable(let address, let reason): "\(address) can't be reached: \(reason)"
    case .lost(let reason, _): "the connection was lost: \(reason)"
    case .timedOut: "no answer came in time"
    case .notUnderstood(let line): "this isn't an activityd: it said \(line)"
    case .superseded: "this device is connected elsewhere now"
    case .refused(let refusal): "\(refusal)"
    }
  }

  /// Why a connection was lost, or else the whole sentence.
  var reasonOfLoss: String {
    if case .lost(let reason, _) = self { reason } else { description }
  }

  /// Whether the same may succeed a little later.
  public var isTemporary: Bool {
    switch self {
    case .unreachable, .lost, .timedOut: true
    case .notUnderstood, .superseded: false
    case .refused(let refusal): refusal.isRetryable
    }
  }

  /// For how long the daemon wants to be left alone, where it says so.
  public var retryAfter: Duration? {
    switch self {
    case .lost(_, let retryAfter): retryAfter
    case .refused(let refusal): refusal.retryAfter
    case .unreachable, .timedOut, .notUnderstood, .superseded: nil
    }
  }

  /// What the daemon's last line means, an event `bye`.
  init(bye: Event) {
    let reason = bye.line.string("reason") ?? "?"
    self =
      reason == "superseded"
      ? .superseded : .lost(reason: reason, retryAfter: bye.line.duration("reconnect-after"))
  }
}

/// An answer of the daemon that says no.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stable code, as `out-of-order`.
  public let code: String
  /// A sentence for a person; not to be parsed.
  public let message: String
  /// The key of the request that it concerns.
  public let key: String?
  /// The activity's present version, where the refusal concerns it.
  public let version: Int?
  /// Whether the same request may succeed later.
  public let isRetryable: Bool
  /// When to try again, where the daemon can tell.
  public let retryAfter: Duration?

  init?(_ line: JSONObject) {
    guard let code = line.string("error") else { return nil }
    self.code = code
    message = line.string("message") ?? ""
    key = line.string("key")
    version = line.integer("version")
    isRetryable = line.bool("retryable") ?? false
    retryAfter = line.duration("retry-after")
  }

  /// The code and the message.
  public var description: String { "\(code): \(message)" }
}
