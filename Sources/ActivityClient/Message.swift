/// A line from the daemon.
public enum Message: Hashable, Sendable {
  /// The last, mostly only line of the answer to a request: what was done.
  case answer(JSONObject)
  /// The answer to a request that was refused.
  case refusal(Refusal)
  /// A line of an answer that has several: the value of its first key, an activity of a `list`
  /// for example.
  case item(JSONObject)
  /// Something happened.
  case event(Event)

  /// Nil if the line is none of these, as those of later versions of the protocol may be.
  init?(_ line: JSONObject) {
    if let event = Event(line) {
      self = .event(event)
    } else if line["ok"] != nil {
      self = .answer(line)
    } else if let refusal = Refusal(line) {
      self = .refusal(refusal)
    } else if let item = line.members.first?.value.objectValue {
      self = .item(item)
    } else {
      return nil
    }
  }
}

/// What a line with the key `event` tells.
public struct Event: Hashable, Sendable {
  /// The whole line.
  public let line: JSONObject
  /// `start`, `update`, `stale`, `end` or `dismiss`, or one of those that concern no activity's
  /// state.
  public let name: String

  init?(_ line: JSONObject) {
    guard let name = line.string("event") else { return nil }
    self.name = name
    self.line = line
  }

  /// The activity that it is about.
  public var id: String? { line.string("id") }
  /// Which life of the id; 0 where it is about no activity.
  public var generation: Int { line.integer("generation") ?? 0 }
  /// Which change of the id; 0 where it is about no activity.
  public var version: Int { line.integer("version") ?? 0 }
  /// Everything up to this event is known to whoever has received it.
  public var cursor: String? { line.string("cursor") }
  /// What asks for attention: a string, or an object with `title` and `body`.
  public var alert: JSONValue? { line["alert"] }
}

/// The line with which the daemon greets.
public struct Welcome: Hashable, Sendable {
  /// The daemon's version.
  public let version: String
  /// Names the store.
  public let epoch: String
  /// The daemon's clock, in seconds since 1970.
  public let now: Double
  /// How many times as fast as real time that clock runs.
  public let timeScale: Double
  /// What the connection may do before a `hello` with a token: `device`, `publisher` or `admin`.
  public let role: String
  /// The longest request line that is read, in bytes.
  public let lineBytesMax: Int

  init?(_ event: Event) {
    guard event.name == "welcome", event.line.integer("protocol") == 1,
      let now = event.line.number("now"), ServerClock.dates.contains(now),
      let timeScale = event.line["time-scale"].map(\.numberValue) ?? 1, 1...1e6 ~= timeScale
    else { return nil }
    version = event.line.string("version") ?? "?"
    epoch = event.line.string("epoch") ?? ""
    self.now = now
    self.timeScale = timeScale
    role = event.line.string("role") ?? "device"
    lineBytesMax = event.line.integer("line-bytes-max") ?? 65_536
  }
}
