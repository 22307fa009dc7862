import ActivityClient
import Glibc
import TestSupport
import Testing

@testable import activityctl

@Suite("top") struct TopTests {
  private func screen(_ steps: [(stats: String, seconds: Double)]) throws -> [String] {
    var screen = TopScreen(server: "unix:/x")
    var now = ContinuousClock.now
    for step in steps {
      let stats = try #require(JSONObject(text: step.stats))
      now += .seconds(step.seconds)
      screen.take(stats: stats, clients: [], at: now)
    }
    return screen.rows(columns: 60, count: 20).map(\.text)
  }

  @Test("what only grows is shown by the second")
  func rates() throws {
    let rows = try screen([
      (#"{"uptime":1,"deliveries":100,"commits":1,"commit-seconds":0.5}"#, 1),
      (#"{"uptime":3,"deliveries":300,"commits":5,"commit-seconds":0.51}"#, 2),
    ])
    #expect(rows.count == 20)
    #expect(rows.contains { $0.hasPrefix("deliveries/s        100  ") && $0.hasSuffix("█") })
    #expect(rows.contains { $0.hasPrefix("commit ms          2.50  ") })
  }

  @Test("what grew while the daemon didn't answer has grown in all that time")
  func outage() throws {
    var screen = TopScreen(server: "unix:/x")
    let start = ContinuousClock.now
    screen.take(stats: ["uptime": 1, "requests": 0], clients: [], at: start)
    for _ in 1..<60 { screen.take(.timedOut) }
    screen.take(stats: ["uptime": 61, "requests": 600], clients: [], at: start + .seconds(60))
    let rows = screen.rows(columns: 60, count: 20).map(\.text)
    #expect(rows.contains { $0.hasPrefix("requests/s           10  ") })
  }

  @Test("begins anew when the daemon has")
  func restart() throws {
    let rows = try screen([
      (#"{"uptime":100,"requests":100000}"#, 1), (#"{"uptime":1,"requests":5}"#, 1),
      (#"{"uptime":2,"requests":12}"#, 1),
    ])
    #expect(rows.contains { $0.hasPrefix("requests/s            7  ") })
  }

  @Test("figures that can't be are shown all the same")
  func hugeFigures() throws {
    let rows = try screen([
      (#"{"uptime":1,"requests":0,"changes":-1e308}"#, 1),
      (#"{"uptime":1e300,"requests":1e308,"changes":1e308,"commits":1e308}"#, 1),
    ])
    #expect(rows.contains { $0.hasPrefix("requests/s       1e+308  ") })
    #expect(rows[0].hasSuffix("up ∞"))
  }

  @Test("little bars are measured by the largest that is shown")
  func sparkline() {
    var line = Sparkline()
    for value in [100, 0, 1, 4, 8.0] { line.append(value) }
    #expect(line.text(columns: 4) == " ▁▄█")
    #expect(line.text(columns: 7) == "  █ ▁▁▁")
  }

  @Test(
    "shows activities, devices and clients, in 80 columns and in 40",
    .enabled(if: TmuxScreen.isInstalled, "tmux isn't installed"),
    arguments: [(80, 24), (40, 12)])
  func terminal(columns: Int, rows: Int) throws {
    let control = try Control()
    try control.succeed("activityctl start --id a --type T --state n=1")
    try control.succeed("activityctl start --id b --type T --state n=1 --stale-after 0")
    let device = try LineClient(path: control.daemon.socketPath)
    try device.sendLine(#"{"op":"hello","device":"anas-phone"}"#)
    try device.sendLine(#"{"op":"subscribe","all":true}"#)
    let screen = try TmuxScreen("activityctl top", of: control, columns: columns, rows: rows)
    let shown = try screen.wait(for: "1 active  1 stale", "1 subscribed", "deliveries/s")
    #expect(shown.allSatisfy { TerminalText.width($0) <= columns })
    if rows > 20 { try screen.wait(for: "anas-phone", "everything") }
    control.daemon.kill()
    try screen.wait(for: "○ ")
    try control.daemon.start()
    try screen.wait(for: "● unix:")
    try screen.press("q")
    try screen.wait(for: "settings as before", "left with 0")
  }

  @Test(
    "can be left while the daemon is busy",
    .enabled(if: TmuxScreen.isInstalled, "tmux isn't installed"))
  func busy() throws {
    let control = try Control()
    let screen = try TmuxScreen("activityctl top", of: control, columns: 60, rows: 20)
    try screen.wait(for: "● unix:")
    control.daemon.signal(SIGSTOP)
    defer { control.daemon.signal(SIGCONT) }
    try screen.wait(for: "○ no answer for ")
    // For an answer it waits longer than this test would.
    try screen.press("q")
    try screen.wait(for: "left with 0")
  }

  @Test("needs a terminal, and says what doesn't")
  func pipe() throws {
    let result = try Control().run("activityctl top")
    #expect(result.status == 69)
    #expect(result.errors.last?.contains("activityctl stats") == true)
  }
}
