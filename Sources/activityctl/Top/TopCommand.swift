internal import ActivityClient
internal import Glibc

/// `activityctl top`.
enum TopCommand {
  static let top = Command(
    name: "top", summary: "show the daemon at a glance, each second",
    details: """
      Activities by state, what is requested, changed, delivered and conflated a second, how long \
      a commit takes, and the clients that are furthest behind. Needs role admin.
      """
  ) { arguments throws(Failure) in
    let client = Client(try Server.address(arguments), identity: try Server.identity(arguments))
    // What is refused is better said before the screen is taken.
    try client.ask("stats")
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw Failure(
        .unavailable, "no-screen", "this is no terminal",
        advice: "activityctl stats and activityctl clients write lines.")
    }
    let terminal = try Terminal(colors: Terminal.wantsColors)
    terminal.enter()
    defer { terminal.leave() }
    run(client, on: terminal)
  }

  private static func run(_ client: Client, on terminal: Terminal) {
    var screen = TopScreen(server: TerminalText.safe(client.address.description))
    var askedAt = ContinuousClock.now - .seconds(1)
    while !TerminalSignals.hasEnded {
      let now = ContinuousClock.now
      do throws(ClientError) {
        let stats = try client.request("stats").line
        let clients = try client.request("clients").items
        screen.take(
          stats: stats, clients: clients, seconds: askedAt.duration(to: now) / .seconds(1))
      } catch {
        screen.take(error)
      }
      askedAt = now
      guard show(screen, on: terminal, until: now + .seconds(1)) else { return }
    }
  }

  /// Answers false if it is to be left.
  private static func show(
    _ screen: TopScreen, on terminal: Terminal, until deadline: ContinuousClock.Instant
  ) -> Bool {
    while !TerminalSignals.hasEnded {
      let size = terminal.size
      terminal.paint(screen.rows(columns: size.columns, count: size.rows))
      guard ContinuousClock.now < deadline else { return true }
      for key in terminal.keys(until: deadline) {
        switch key {
        case .character("q"), .interrupt: return false
        case .suspend: terminal.suspend()
        case .redraw: terminal.forget()
        default: break
        }
      }
      if TerminalSignals.takeResized() { terminal.forget() }
    }
    return false
  }
}
