internal import ActivityClient

/// `activityctl top`.
enum TopCommand {
  static let top = Command(
    name: "top", summary: "show the daemon at a glance, each second",
    details: """
      Activities by state, what is requested, changed, delivered and conflated a second, how long \
      a commit takes, and the clients that are furthest behind. The key q quits, Ctrl-Z suspends. \
      Needs role admin.
      """
  ) { arguments throws(Failure) in
    let client = try Server.client(arguments)
    // What is refused is better said before the screen is taken.
    try client.ask("stats")
    guard Terminal.isThere else {
      throw Failure(
        .unavailable, "no-screen", "this is no terminal",
        advice: "activityctl stats and activityctl clients write lines.")
    }
    TopLoop(
      client.address, as: client.identity, on: try Terminal(colors: Terminal.wantsColors)
    ).run()
  }
}
