internal import ActivityClient

/// A device in the terminal.
enum WatchCommand {
  static let watch = Command(
    name: "watch", summary: "show activities as a phone does, as they change",
    details: """
      Cards are in order of relevance; what is late or over is greyed. Stopwatches and countdowns \
      run by themselves. While the daemon is away, what is shown goes by the deadlines that it \
      has. Keys: arrows or j and k select a card, d dismisses it on this device (for good, \
      if that has a name by --device), a sends an action of it, whose name is asked for; space \
      opens the island, Escape leaves what was begun, Ctrl-L paints anew, Ctrl-Z suspends, q \
      quits. Without a terminal it writes lines. NO_COLOR is obeyed.
      """,
    options: Interest.options + [
      Option("plain", .flag, "write a line for each change"),
      .device, .surface,
    ]
  ) { arguments throws(Failure) in
    let follower = try Server.follower(arguments)
    if arguments.has("json") || arguments.has("plain") || !Terminal.isThere {
      try WatchLines(follower, asJSON: arguments.has("json")).run()
    } else {
      try WatchLoop(follower, on: Terminal(colors: Terminal.wantsColors)).run()
    }
  }
}
