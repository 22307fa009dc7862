internal import ActivityClient

/// An event about an activity, and when it came.
struct RecordedEvent {
  let line: JSONObject
  let name: String
  let id: String
  /// In seconds since 1970, by the daemon's clock.
  let received: Double

  /// Nil for what is no event about an activity.
  init?(_ line: JSONObject) {
    guard let name = line.string("event"), let id = line.string("id"),
      ["start", "update", "stale", "end", "dismiss"].contains(name),
      // Without the time it came, the times it speaks of are the next best.
      let received = line.number("received") ?? line.number("at") ?? line.number("timestamp")
    else { return nil }
    (self.line, self.name, self.id, self.received) = (line, name, id, received)
  }

  /// Whether it is a deadline that did this.
  var isByDeadline: Bool { line["at"] != nil }
}

/// Makes of recorded events the requests that let devices see the same again. It does no input or
/// output.
struct Replay {
  struct Write: Equatable {
    let operation: String
    let keys: JSONObject
  }

  private let speed: Double
  private let prefix: String
  /// Where everything is published; nil for where it was.
  var channels: [String]?
  /// What was published last, of each id.
  private var published: [String: JSONObject] = [:]

  private static let longestLifetime = 12 * 3_600.0
  /// Further ahead than any deadline may be, and no number that couldn't be written.
  private static let farthest = 1e9

  init(speed: Double, prefix: String) {
    self.speed = speed
    self.prefix = prefix
  }

  mutating func writes(for event: RecordedEvent) -> [Write] {
    if event.name == "start" { return start(event) }
    guard let before = published[event.id] else { return [] }
    let isNews = before["content-state"] != event.line["content-state"]
    defer { published[event.id] = event.name == "dismiss" ? nil : event.line }
    switch event.name {
    case "update": return [update(event, after: before)]
    case "stale": return event.isByDeadline && !isNews ? [] : [update(event, after: before)]
    case "end":
      return event.isByDeadline ? isNews ? [update(event, after: before)] : [] : [end(event)]
    default: return dismiss(event)
    }
  }

  private mutating func start(_ event: RecordedEvent) -> [Write] {
    published[event.id] = event.line
    var keys = self.keys(
      of: event, ["attributes-type", "attributes", "channels", "content-state", "relevance-score"])
    if let channels { keys["channels"] = JSONValue(channels) }
    for key in ["url", "links"] { keys[key] = event.line[key] }
    keys["if-exists"] = "replace"
    keys["lifetime"] = event.line.number("end-date").map {
      JSONValue(min(Self.longestLifetime, max(0.001, ahead($0, of: event))))
    }
    if event.line.string("state") == "ended" {
      return [Write(operation: "start", keys: keys), end(event)]
    }
    keys["stale-after"] = staleAfter(event)
    keys["alert"] = event.line["alert"]
    return [Write(operation: "start", keys: keys)]
  }

  private func update(_ event: RecordedEvent, after before: JSONObject) -> Write {
    var keys = self.keys(of: event, ["content-state", "relevance-score"])
    for key in ["url", "links"] {
      // In an event, absent means none; in an update, as before.
      if let value = event.line[key] {
        keys[key] = value
      } else if before[key] != nil {
        keys[key] = .some(.null)
      }
    }
    keys["stale-after"] = staleAfter(event)
    keys["alert"] = event.line["alert"]
    return Write(operation: "update", keys: keys)
  }

  private func end(_ event: RecordedEvent) -> Write {
    var keys = self.keys(of: event, ["content-state"])
    keys["dismissal-after"] = event.line.number("dismissal-date").map {
      JSONValue(ahead($0, of: event))
    }
    keys["alert"] = event.line["alert"]
    return Write(operation: "end", keys: keys)
  }

  private func dismiss(_ event: RecordedEvent) -> [Write] {
    let reason = event.line.string("reason")
    switch reason {
    // It concerned one device, or the start that follows does it.
    case "unsubscribed", "disabled", "dismissed", "replaced": return []
    case _ where event.isByDeadline: return []
    case "ended":
      var keys = keys(of: event, [])
      keys["dismissal"] = "immediate"
      keys["alert"] = event.line["alert"]
      return [Write(operation: "end", keys: keys)]
    default: return [Write(operation: "cancel", keys: keys(of: event, []))]
    }
  }

  private func keys(of event: RecordedEvent, _ names: [String]) -> JSONObject {
    var keys: JSONObject = ["id": .string(prefix + event.id)]
    for name in names { keys[name] = event.line[name] }
    return keys
  }

  private func staleAfter(_ event: RecordedEvent) -> JSONValue? {
    if event.line.string("state") == "stale" { return 0 }
    return event.line.number("stale-date").map { JSONValue(ahead($0, of: event)) }
  }

  /// How far ahead a date was, in seconds of the replay.
  private func ahead(_ date: Double, of event: RecordedEvent) -> Double {
    (min(max(0, date - event.received) / speed, Self.farthest) * 1_000).rounded() / 1_000
  }
}
