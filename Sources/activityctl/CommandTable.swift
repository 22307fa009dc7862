/// All commands: the one place that says which there are.
enum CommandTable {
  static let commands: [Command] = [
    WriteCommands.start, WriteCommands.update, WriteCommands.end, WriteCommands.cancel,
    WriteCommands.push, ReadCommands.get, ReadCommands.list, DeviceCommands.action,
    DeviceCommands.dismiss, WatchCommand.watch, ReadCommands.ping, ReadCommands.stats,
    ReadCommands.clients, TopCommand.top, MonitorCommand.monitor,
    MetricsCommand.metrics, BackupCommand.backup, TokenCommands.add, TokenCommands.list,
    TokenCommands.revoke,
    RecordCommand.record, ReplayCommand.replay, SimulateCommand.simulate,
    Completion.command, ManualPage.command,
  ]

  /// What every command takes.
  static let common: [Option] = [
    Option(
      "server", .text("ADDRESS"),
      "unix:PATH, tcp:HOST:PORT or tls:HOST:PORT; else ACTIVITYD_SERVER, else one of this machine"
    ),
    Option(
      "ca", .file,
      "for tls: who may sign the server's certificate; else ACTIVITYD_CA, else the system's"),
    Option("cert", .file, "for tls: a certificate to show, in PEM form; else ACTIVITYD_CERT"),
    Option("key", .file, "for tls: its key; else ACTIVITYD_KEY, else in the file of --cert"),
    Option("token-file", .file, "holds a token; else ACTIVITYD_TOKEN_FILE, else ACTIVITYD_TOKEN"),
    Option("retry", .span, "how long to repeat what fails for a reason that may pass"),
    Option("json", .flag, "write the daemon's lines, for machines"),
    Option("help", .flag, "show this"),
  ]

  static func command(named name: String) -> Command? { commands.first { $0.name == name } }

  /// Those whose name is this word and another one.
  static func commands(about word: String) -> [Command] {
    commands.filter { $0.name.hasPrefix(word + " ") }
  }

  /// With what a command line may begin, and the words of which one must follow, if one must.
  static var firstWords: [(word: String, summary: String, second: [String])] {
    var seen: Set<String> = []
    return commands.compactMap { command in
      let words = command.name.split(separator: " ").map(String.init)
      guard seen.insert(words[0]).inserted else { return nil }
      let second = commands(about: words[0]).map { String($0.name.dropFirst(words[0].count + 1)) }
      return second.isEmpty
        ? (words[0], command.summary, [])
        : (words[0], second.joined(separator: ", "), second)
    }
  }

  /// The flags of a command, its own first.
  static func options(of command: Command) -> [Option] { command.options + common }
}
