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
    Option(
      "retry", .span,
      "how long to repeat what fails for a reason that may pass; watch, record and monitor never give up"
    ),
    Option("json", .flag, "write the daemon's lines, for machines"),
    Option("help", .flag, "show this"),
  ]

  /// What stands in place of a command.
  static let alone: [Option] = [
    Option("help", .flag, "show the commands"), Option("version", .flag, "show the version"),
  ]

  static func command(named name: String) -> Command? { commands.first { $0.name == name } }

  /// Those whose name is this word and another one.
  static func commands(about word: String) -> [Command] {
    commands.filter { $0.name.hasPrefix(word + " ") }
  }

  /// A word of a command line, and what may follow it.
  struct Word {
    let text: String
    let summary: String
    var next: [Word] = []
  }

  /// With what a command line may begin, and the words of which one follows, if one does.
  static var firstWords: [Word] {
    var seen: Set<String> = []
    let words: [Word] = commands.compactMap { command in
      let first = command.name.prefix { $0 != " " }
      guard seen.insert(String(first)).inserted else { return nil }
      let next = commands(about: String(first)).map { command in
        Word(text: String(command.name.dropFirst(first.count + 1)), summary: command.summary)
      }
      let summary = next.isEmpty ? command.summary : next.map(\.text).joined(separator: ", ")
      return Word(text: String(first), summary: summary, next: next)
    }
    return words + [Word(text: "help", summary: "show the flags of a command", next: words)]
  }

  /// The flags of a command, its own first.
  static func options(of command: Command) -> [Option] { command.options + common }
}
