internal import Glibc

let words = Array(CommandLine.arguments.dropFirst())
do throws(Failure) {
  try carryOut(words)
} catch {
  Output.failure(error, asJSON: words.contains("--json"))
  exit(error.code.rawValue)
}

/// Does what the command line says.
func carryOut(_ words: [String]) throws(Failure) {
  switch words.first {
  case nil: throw .usage("a command is missing")
  case "--help", "-h", "help": print(Help.overview, terminator: "")
  case "--version": print("activityctl \(Help.version)")
  case let name?:
    guard let command = CommandTable.command(named: name) else {
      throw .usage("there is no command \(name)")
    }
    let rest = Array(words.dropFirst())
    guard !rest.contains("--help"), !rest.contains("-h") else {
      return print(Help.page(of: command), terminator: "")
    }
    try command.run(Arguments(rest, of: command))
  }
}
