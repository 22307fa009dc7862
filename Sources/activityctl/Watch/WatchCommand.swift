internal import ActivityClient
internal import Glibc

/// A device in the terminal.
enum WatchCommand {
  static let watch = Command(
    name: "watch", summary: "show activities as a phone does, as they change",
    details: """
      Cards are in order of relevance; what is late or over is greyed. Stopwatches and countdowns \
      run by themselves. While the daemon is away, what is shown goes by the deadlines that it \
      has. Without a terminal it writes lines. NO_COLOR is obeyed.
      """,
    options: Interest.options + [
      Option("plain", .flag, "write a line for each change"),
      DeviceCommands.device, DeviceCommands.surface,
    ]
  ) { arguments throws(Failure) in
    let follower = Follower(
      try Server.address(arguments), of: Interest.subscription(arguments),
      identity: try Server.identity(arguments))
    let isScreen = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    if arguments.has("json") || arguments.has("plain") || !isScreen {
      try WatchLines(follower, asJSON: arguments.has("json")).run()
    } else {
      try WatchLoop(follower, on: Terminal(colors: Terminal.wantsColors)).run()
    }
  }
}
