internal import ActivityClient

/// The daemon at a glance: what `stats` and `clients` tell, and how it changes. It does no input or
/// output.
struct TopScreen {
  /// A figure that only grows, of which the growth in a second is of interest.
  private struct Rate {
    let key: String
    let name: String
    var line = Sparkline()
  }

  let server: String
  private var stats: JSONObject = [:]
  /// Those that are furthest behind first.
  private var clients: [JSONObject] = []
  private var problem: String?
  /// When `stats` came, for those that came before.
  private var takenAt: ContinuousClock.Instant?
  private var rates = [
    Rate(key: "requests", name: "requests/s"), Rate(key: "changes", name: "changes/s"),
    Rate(key: "deliveries", name: "deliveries/s"), Rate(key: "conflated", name: "conflated/s"),
  ]
  private var commitMilliseconds = Sparkline()

  init(server: String) { self.server = server }

  /// - Parameter now: when it came. What has grown since the last time has grown in all that time,
  ///   however often nothing came in between.
  mutating func take(stats new: JSONObject, clients: [JSONObject], at now: ContinuousClock.Instant)
  {
    // After a restart the figures begin anew.
    let isSameRun = (new.number("uptime") ?? 0) >= (stats.number("uptime") ?? .infinity)
    if isSameRun, let takenAt, takenAt < now {
      let seconds = takenAt.duration(to: now) / .seconds(1)
      for index in rates.indices {
        rates[index].line.append(growth(rates[index].key, new) / seconds)
      }
      let commits = growth("commits", new)
      commitMilliseconds.append(commits > 0 ? growth("commit-seconds", new) / commits * 1_000 : 0)
    }
    (stats, takenAt) = (new, now)
    problem = nil
    // Once, and not each time they are shown: there may be ten thousand.
    self.clients =
      clients.map { (behind: ReadCommands.behind($0), session: $0.integer("session") ?? 0, $0) }
      .sorted { ($1.behind, $0.session) < ($0.behind, $1.session) }
      .map(\.2)
  }

  /// The daemon isn't there, or isn't willing.
  mutating func take(_ error: ClientError) { problem = error.description }

  /// The daemon is still to answer; for a moment that is nothing to speak of.
  mutating func take(silence: Duration) {
    guard silence >= .seconds(3) else { return }
    problem = "no answer for \(Int(silence / .seconds(1))) s"
  }

  private func growth(_ key: String, _ new: JSONObject) -> Double {
    max(0, (new.number(key) ?? 0) - (stats.number(key) ?? 0))
  }
}

// MARK: - What is shown

extension TopScreen {
  /// As many rows as the screen has.
  func rows(columns: Int, count: Int) -> [StyledRow] {
    var rows = [status(columns), activities, holdings, StyledRow()]
    rows += rates.map { graph($0.name, $0.line, columns) }
    rows.append(graph("commit ms", commitMilliseconds, columns))
    rows.append(StyledRow())
    let room = count - rows.count - 1
    if room > 1 { rows += clientRows(columns, room) }
    rows = Array(rows.prefix(max(0, count - 1)))
    rows += Array(repeating: StyledRow(), count: max(0, count - 1 - rows.count))
    return (rows + [StyledRow("q quit", .dim)]).map { $0.fitted(columns) }
  }

  private func status(_ columns: Int) -> StyledRow {
    let left =
      problem.map { StyledRow("○ \($0) ", Style(color: .red)) }
      ?? StyledRow("● \(server) ", Style(color: .green))
    let uptime = TimeText.clock(stats.number("uptime") ?? 0)
    return left.justified(StyledRow("up \(uptime)", .dim), columns: columns)
  }

  private var activities: StyledRow {
    let states = stats.object("activities") ?? [:]
    var row = StyledRow("activities  ", .dim)
    for (key, color) in [
      ("active", Style.Color.green), ("stale", .yellow), ("pending", .cyan), ("ended", nil),
    ] {
      row.append("\(states.integer(key) ?? 0)", Style(isBold: true, color: color))
      row.append(" \(key)  ", .dim)
    }
    return row
  }

  private var holdings: StyledRow {
    var row = StyledRow("devices     ", .dim)
    for (key, name) in [
      ("subscribed", "subscribed"), ("in-step", "in step"), ("dirty", "changes waiting"),
      ("deadlines", "deadlines ahead"),
    ] {
      row.append("\(stats.integer(key) ?? 0)", .bold)
      row.append(" \(name)  ", .dim)
    }
    return row
  }

  private func graph(_ name: String, _ line: Sparkline, _ columns: Int) -> StyledRow {
    var row = StyledRow(TerminalText.pad(name, 14), .dim)
    let value = Self.number(line.last)
    row.append(String(repeating: " ", count: max(0, 9 - value.count)) + value + "  ", .bold)
    row.append(line.text(columns: max(1, columns - 25)), Style(color: .cyan))
    return row
  }

  /// With three digits at least where there are fractions.
  private static func number(_ value: Double) -> String {
    guard value < 1e9 else { return "\(value)" }
    guard value < 100, value != value.rounded() else { return "\(Int(value.rounded()))" }
    let hundredths = Int((value * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private func clientRows(_ columns: Int, _ room: Int) -> [StyledRow] {
    let lines = ReadCommands.table(of: Array(clients.prefix(room - 1))).lines()
    return lines.enumerated().map { StyledRow($1, $0 == 0 ? .dim : .plain) }
  }
}
