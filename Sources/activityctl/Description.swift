internal import ActivityClient

/// Activities in the words of people.
enum Description {
  /// What an answer says of an activity.
  static func sentence(_ answer: JSONObject, now: Double) -> String {
    let id = answer.string("id") ?? "?"
    guard let state = answer.string("state") else {
      // A device's own dismissal concerns no state.
      return answer.string("outcome") == "noop" ? "\(id) wasn't shown" : "\(id) is dismissed here"
    }
    let isNews = answer.string("outcome") != "noop"
    var facts: [String] = []
    if let version = answer.integer("version") { facts.append("version \(version)") }
    if let devices = answer.integer("devices") { facts.append(count(devices, "device")) }
    if let next = deadline(answer, now: now) { facts.append(next) }
    return "\(id) \(isNews ? "is" : "was already") \(state) (\(facts.joined(separator: ", ")))"
  }

  /// What will happen next, and when.
  static func deadline(_ item: JSONObject, now: Double) -> String? {
    let verbs = [
      ("dismissal-date", "gone"), ("stale-date", "stale"), ("end-date", "ends"),
    ]
    if item.string("state") == "pending", let start = item.number("start-date") {
      return "starts in \(TimeText.clock(start - now))"
    }
    for (key, verb) in verbs {
      if let date = item.number(key) { return "\(verb) in \(TimeText.clock(date - now))" }
    }
    return nil
  }

  /// What the answer to an action says.
  static func action(_ answer: JSONObject) -> String {
    let publishers = answer.integer("publishers") ?? 0
    return publishers == 0
      ? "nobody listens for actions" : "told to \(count(publishers, "publisher"))"
  }

  /// That the daemon is away, and when it is tried again.
  static func away(because reason: String, retryIn wait: Duration) -> String {
    "away, again in \(Int(max(0, wait / .seconds(1)).rounded(.up))) s: \(reason)"
  }

  /// `1 device`, `2 devices`.
  static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
  }

  /// Everything about an activity, a line a fact, with nothing in it that a terminal would obey.
  static func facts(_ item: JSONObject, now: Double) -> [String] {
    let width = item.members.map { $0.key.utf8.count }.max() ?? 0
    return item.members.map { member in
      var value = member.value.stringValue ?? member.value.text
      if isDate(member.key), let date = member.value.numberValue {
        value +=
          date < now
          ? "  (\(TimeText.clock(now - date)) ago)" : "  (in \(TimeText.clock(date - now)))"
      }
      return TerminalText.pad(TerminalText.safe(member.key), width) + "  "
        + TerminalText.safe(value)
    }
  }

  private static func isDate(_ key: String) -> Bool {
    key.hasSuffix("-date") || ["timestamp", "at", "dismissed-at"].contains(key)
  }
}
