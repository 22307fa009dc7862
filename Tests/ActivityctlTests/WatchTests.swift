import ActivityClient
import TestSupport
import Testing

@testable import activityctl

@Suite("watch, in a terminal", .enabled(if: TmuxScreen.isInstalled, "tmux isn't installed"))
struct WatchTests {
  private let control: Control

  init() throws { control = try Control() }

  /// One of each state, with what is hard to draw.
  private func publishSamples() throws {
    try control.succeed(
      """
      now=$(date +%s)
      activityctl start --id order-1 --type Delivery --attributes shop=Cantina --relevance 10 \
      --state status=onTheWay 'courier=Ana 👨‍🍳🇩🇪' progress=0.5 eta=$((now + 754))
      activityctl start --id watch-1 --type Stopwatch --relevance 5 --state-json \
      "{\\"startedAt\\":$((now - 978307200 - 60)),\\"accumulatedTime\\":3600,\\"isRunning\\":true}"
      activityctl start --id match-1 --type Match --attributes home=日本 away=한국 --relevance 3 \
      --state score=2–1 --stale-after 0
      activityctl start --id ride-1 --type Ride --state status=arrived
      activityctl end --id ride-1 --dismissal-after 20m
      """)
  }

  @Test("what README.md shows is what is seen, but for the digits of clocks")
  func picture() throws {
    try control.succeed(
      """
      now=$(date +%s)
      activityctl start --id order-1 --type Delivery --attributes shop=Cantina --relevance 100 \
      --state 'status=on its way' 'courier=Ana 🚲' eta=$((now + 754)) progress=0.6 --stale-after 15m
      activityctl start --id match-7 --type Match --attributes home=日本 away=Québec \
      --relevance 50 --state score=2–1 "clock=[$((now - 2460)),$((now + 3060))]"
      activityctl start --id oven --type Stopwatch --relevance 10 --state-json \
      "{\\"startedAt\\":$((now - 978307200 - 60)),\\"accumulatedTime\\":600,\\"isRunning\\":true}"
      activityctl start --id washer --type Laundry --state status=spinning --stale-after 0
      activityctl start --id ride-1 --type Ride --state status=arrived
      activityctl end --id ride-1 --dismissal-after 20m
      """)
    let shown = try Files.read(Files.repository("README.md")).split(separator: "```")
      .first { $0.hasPrefix("text\n● unix:") }
    let wanted = try #require(shown).split(separator: "\n").dropFirst(2).map(Self.withoutDigits)
    let screen = try TmuxScreen("activityctl watch", of: control, columns: 74, rows: 22)
    try screen.wait("like \(wanted)") { rows in
      rows.dropFirst().filter { !$0.isEmpty }.map(Self.withoutDigits) == wanted
    }
  }

  private static func withoutDigits(_ row: some StringProtocol) -> String {
    String(row.map { $0.isASCII && $0.isNumber ? "0" : $0 })
  }

  private func expectAligned(_ rows: [String], columns: Int) {
    for row in rows {
      #expect(TerminalText.width(row) <= columns, "\(row)")
      if let first = row.first, "╭│╰┏┃┗".contains(first) {
        #expect(TerminalText.width(row) == columns, "\(row)")
      }
    }
  }

  @Test("shows cards in order of relevance and the island above them, in 80 columns")
  func wide() throws {
    try publishSamples()
    let screen = try TmuxScreen("activityctl watch", of: control, columns: 80, rows: 24)
    let rows = try screen.wait(for: "■ ended", "↑↓ select")
    expectAligned(rows, columns: 80)
    #expect(rows[0].hasPrefix("● unix:\(control.daemon.socketPath)"))
    #expect(rows[0].hasSuffix("4 activities"))
    #expect(rows[1].contains("( Delivery onTheWay in 12:"))
    #expect(rows[1].contains(" ) ( 1:01:"), "the next is minimal, and it isn't late or over")
    let tops = rows.filter { $0.hasPrefix("╭") }
    #expect(tops.count == 4)
    #expect(tops[0].hasPrefix("╭─ Delivery · Cantina ") && tops[0].hasSuffix(" ● active ─╮"))
    #expect(tops[1].hasPrefix("╭─ Stopwatch "))
    #expect(tops[2].hasPrefix("╭─ Match · 日本 · 한국 ") && tops[2].hasSuffix(" ◌ late ─╮"))
    #expect(tops[3].hasPrefix("╭─ Ride ") && tops[3].hasSuffix(" ■ ended ─╮"))
    #expect(rows.contains { $0.contains("courier Ana 👨‍🍳🇩🇪 ") })
    #expect(rows.contains { $0.contains("━─") && $0.contains(" 50% │") })
    #expect(rows.contains { $0.hasPrefix("╰─ ride-1 ") && $0.contains(" gone in 19:") })
  }

  @Test("emoji that a terminal measures otherwise don't shift what follows")
  func emoji() throws {
    try control.succeed("activityctl start --id a --type T --state k=👍🏽❤️x")
    let screen = try TmuxScreen("activityctl watch", of: control, columns: 60, rows: 12)
    let row = try #require(try screen.wait(for: "│ k ").first { $0.hasPrefix("│ k ") })
    // To tmux the tone is a sign of its own, which the heart covers, and the heart takes a column.
    #expect(row.hasPrefix("│ k 👍❤️ x "))
    #expect(row.split(separator: "❤️").map { TerminalText.width($0) }.reduce(1, +) == 60)
  }

  @Test("shows as much as fits in 40 columns and 12 rows, and follows the terminal's size")
  func narrow() throws {
    try publishSamples()
    let screen = try TmuxScreen("activityctl watch", of: control, columns: 40, rows: 12)
    var rows = try screen.wait(for: "● active", "↓ ", "↑↓ select")
    expectAligned(rows, columns: 40)
    #expect(rows.contains { $0.contains("courier Ana 👨‍🍳🇩🇪 ") })
    for _ in 0..<4 { try screen.press("Down") }
    rows = try screen.wait(for: "┗━ ride-1", "d dismiss · a action · esc · q quit")
    expectAligned(rows, columns: 40)
    try screen.tmux("resize-window -x 60 -y 24")
    // The terminal may be seen while it is being drawn.
    _ = try screen.wait("as wide as the terminal, and all four cards") { rows in
      rows.contains { $0.hasPrefix("╭─ Delivery ") && TerminalText.width($0) == 60 }
        && rows.count { $0.hasPrefix("╭") || $0.hasPrefix("┏") } == 4
    }
  }

  @Test("time goes on, and deadlines are kept, while the daemon is away; then it is in step again")
  func restart() throws {
    try publishSamples()
    try control.succeed(
      "activityctl start --id soon --type Soon --relevance 20 --state n=1 --stale-after 3")
    let screen = try TmuxScreen("activityctl watch", of: control, columns: 80, rows: 30)
    let before = try screen.wait(for: "╭─ Soon ", "╭─ Stopwatch ")
    control.daemon.kill()
    let away = try screen.wait("away, and late by itself") { rows in
      rows[0].hasPrefix("○ away, again in ")
        && rows.contains { $0.hasPrefix("╭─ Soon ") && $0.hasSuffix(" ◌ late ─╮") }
    }
    #expect(Self.stopwatch(away) != Self.stopwatch(before))
    #expect(away.count { $0.hasPrefix("╭") } == 5, "what was shown is still shown")
    try control.daemon.start()
    try control.succeed("activityctl update --id soon --state status=back")
    try screen.wait("in step again") { rows in
      rows[0].hasPrefix("● unix:") && rows.contains { $0.contains("│ back ") }
        && rows.contains { $0.hasPrefix("╭─ Soon ") && $0.hasSuffix(" ● active ─╮") }
    }
  }

  private static func stopwatch(_ rows: [String]) -> Substring? {
    rows.first { $0.contains("1:01:") && $0.hasPrefix("│") }?.dropFirst()
  }

  @Test("an alert flashes once")
  func alert() throws {
    try control.succeed("activityctl start --id a --type T --state n=1")
    let screen = try TmuxScreen("activityctl watch", of: control, columns: 60, rows: 12)
    try screen.wait(for: "● active")
    try control.succeed(
      #"activityctl update --id a --state n=2 --alert-json '{"title":"Door","body":"Ana is there"}'"#
    )
    try screen.wait(for: "🔔 Door: Ana is there")
    try screen.wait("without the alert") { rows in
      rows.contains { $0.contains("│ n 2 ") } && !rows.contains { $0.contains("🔔") }
    }
  }

  @Test("keys dismiss, send actions and open the island")
  func keys() throws {
    try control.succeed(
      "activityctl start --id a --type Delivery --state status=near --relevance 1")
    try control.succeed("activityctl start --id b --type Ride --state status=here")
    let backend = try LineClient(path: control.daemon.socketPath)
    try backend.sendLine(#"{"op":"subscribe","feedback":true}"#)
    let screen = try TmuxScreen("activityctl watch", of: control, columns: 70, rows: 24)
    try screen.wait(for: "╭─ Ride ")
    try screen.press("Down")
    try screen.wait(for: "┗━ a ")
    try screen.press("a", "confirm", "Enter")
    try screen.wait(for: "told to 1 publisher")
    while let line = try backend.readLine() {
      guard line.contains(#""event":"action""#) else { continue }
      #expect(try JSONLine(line)["name"]?.string == "confirm")
      break
    }
    try screen.press("d")
    try screen.wait("without what was dismissed") { rows in
      !rows.contains { $0.contains("Delivery") } && rows[0].hasSuffix("1 activity")
    }
    try screen.press("Space")
    try screen.wait("with an island of the next, opened") { rows in
      rows.count { $0.contains("╭─ Ride ") } == 2
    }
  }

  @Test(
    "leaves the terminal as it was, however it ends",
    arguments: [(["q"], "left with 0"), (["C-c"], "left with 0"), ([], "left with ")])
  func leaving(keys: [String], ending: String) throws {
    let screen = try TmuxScreen("activityctl watch", of: control, columns: 60, rows: 12)
    try screen.wait(for: "Nothing is live.")
    if keys.isEmpty {
      let socket = control.daemon.socketPath
      let pattern = "[w]atch"
      let pane = try #require(try screen.tmux("display-message -p '#{pane_pid}'").first)
      let child = try Shell.run("pgrep -P \(pane) -f \(pattern)").lines
      #expect(child.count == 1, "\(socket)")
      _ = try Shell.run("kill -TERM \(child[0])")
    } else {
      try screen.press(keys[0])
    }
    let rows = try screen.wait(for: "settings as before", ending)
    #expect(rows[0] == "before")
    #expect(!rows.contains { $0.contains("Nothing is live.") })
  }

  @Test("content can't send anything to the terminal, and colours come only where wanted")
  func safety() throws {
    try control.succeed(
      #"activityctl start --id a --type T --state "status=$(printf 'x\033[2J\033]0;title\007y')""#)
    let screen = try TmuxScreen("NO_COLOR=1 activityctl watch", of: control, columns: 60, rows: 12)
    try screen.wait(for: "│ x␛[2J␛]0;title␇y ")
    #expect(try screen.tmux("display-message -p '#{pane_title}'") != ["title"])
    let colors = ["\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m", "\u{1b}[36m"]
    let plain = try screen.rows(styled: true).joined()
    #expect(!colors.contains { plain.contains($0) })
    let other = try TmuxScreen("activityctl watch", of: control, columns: 60, rows: 12)
    try other.wait(for: "● active")
    #expect(try other.rows(styled: true).joined().contains("\u{1b}[32m"))
  }

  @Test("a terminal that can't place its cursor is told what can be done")
  func dumb() throws {
    let screen = try TmuxScreen("TERM=dumb activityctl watch", of: control, columns: 80, rows: 12)
    try screen.wait(for: "no-screen: ", "--plain writes lines.", "left with 69")
  }
}

@Suite("watch, into a pipe") struct WatchLinesTests {
  @Test("writes a line for each change, until nobody reads")
  func plain() throws {
    let control = try Control()
    try control.succeed("activityctl start --id a --type T --state status=near n=1")
    let lines = try control.succeed(
      """
      activityctl watch --id a | {
        read -r line; echo "$line"; read -r line; echo "$line"; read -r line; echo "$line"
        activityctl update --id a --state status=here --alert 'at the door' >/dev/null
        read -r line; echo "$line"
        activityctl cancel --id a >/dev/null
        read -r line; echo "$line"
      }
      """)
    #expect(lines[0].hasPrefix("# connected to unix:"))
    #expect(lines[1] == "start a active near n 1")
    #expect(lines[2] == "# in step, told of 1")
    #expect(lines[3] == "update a active here 🔔 at the door")
    #expect(lines[4] == "dismiss a (cancelled)")
  }

  @Test("and for each that another store doesn't know")
  func anotherStore() throws {
    let event = { (id: String) in
      #"{"event":"start","id":"\#(id)","generation":1,"version":1,"state":"active","#
        + #""attributes-type":"T","content-state":1}"#
    }
    let daemon = try ScriptedDaemon(
      .init([
        ScriptedDaemon.welcome, #"{"ok":"subscribe"}"#, event("a"), event("b"),
        #"{"event":"synced","count":2}"#, #"{"event":"reset","reason":"epoch"}"#,
        #"{"event":"synced","count":0}"#,
      ]))
    let lines = try Control().succeed(
      "activityctl watch --server unix:\(daemon.socketPath) | head -n 8 | tail -n 4")
    #expect(
      lines == [
        "# all anew (epoch)", "dismiss a (gone)", "dismiss b (gone)", "# in step, told of 0",
      ])
  }

  @Test("or the daemon's events")
  func json() throws {
    let control = try Control()
    try control.succeed("activityctl start --id a --type T --state n=1")
    let line = try control.succeed("activityctl watch --json | head -n 1")[0]
    #expect(try JSONLine(line)["event"]?.string == "start")
  }
}
