internal import ActivityClient
internal import Glibc

/// `activityctl monitor`.
enum MonitorCommand {
  static let monitor = Command(
    name: "monitor", summary: "show each request of anybody and what came of it, never content",
    details: """
      A line a request: the time, the client's number as in activityctl clients, the operation, \
      the activity, the outcome or the error code, and the client's device and token if they have \
      names. It goes on, over restarts of the daemon, until Ctrl-C. Needs role admin.
      """,
    options: [
      Option(
        "id", .names("ID"), "this activity, or those that begin as in order-*; may be repeated"),
      Option("errors", .flag, "only what is refused"),
    ]
  ) { arguments throws(Failure) in
    var keys = JSONObject()
    if arguments.has("id") { keys["ids"] = JSONValue(arguments.names("id")) }
    if arguments.has("errors") { keys["errors"] = true }
    let address = try Server.address(arguments)
    let identity = try Server.identity(arguments)
    var backoff = Backoff()
    while true {
      do throws(ClientError) {
        let connection = try Client(address, identity: identity).connected()
        _ = try connection.request("monitor", keys)
        backoff.reset()
        try follow(connection, asJSON: arguments.has("json"))
      } catch {
        guard error.isTemporary else { throw Failure(error) }
        let wait = backoff.next(after: error)
        Output.warning(Description.away(because: "\(error)", retryIn: wait))
        pause(for: wait)
      }
    }
  }

  private static func follow(_ connection: Connection, asJSON: Bool) throws(ClientError) {
    while true {
      guard let message = try connection.receive(or: Output.pipe) else {
        Output.endIfUnread()
        continue
      }
      guard case .event(let event) = message else { continue }
      switch event.name {
      case "monitor" where asJSON: Output.json(event.line)
      case "monitor": Output.line(text(event.line))
      case "ping": try connection.send("ping")
      default: break
      }
    }
  }

  /// As it is shown.
  static func text(_ line: JSONObject) -> String {
    if let missed = line.integer("missed") { return "# \(missed) lines missed" }
    let client = "#\(line.integer("client") ?? 0)"
    let outcome = line.string("error") ?? line.string("outcome") ?? ""
    var words = [
      timeOfDay(line.number("now") ?? 0), column(client, 6), column(line.string("op") ?? "?", 11),
      column(outcome, 12), line.string("id") ?? "-",
    ]
    for key in ["device", "token"] {
      if let name = line.string(key) { words.append("\(key)=\(name)") }
    }
    return words.joined(separator: " ")
  }

  /// What is longer isn't cut.
  private static func column(_ text: String, _ width: Int) -> String {
    TerminalText.pad(text, max(width, TerminalText.width(text)))
  }

  /// Where this machine is, with milliseconds.
  private static func timeOfDay(_ date: Double) -> String {
    var parts = unsafe tm()
    guard var seconds = time_t(exactly: date.rounded(.down)),
      unsafe localtime_r(&seconds, &parts) != nil
    else { return "--:--:--.---" }
    let milliseconds = Int((date - date.rounded(.down)) * 1_000)
    let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map {
      digits(Int($0), count: 2)
    }
    return clock.joined(separator: ":") + "." + digits(milliseconds, count: 3)
  }

  private static func digits(_ number: Int, count: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
