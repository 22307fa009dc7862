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
  case "--help", "-h": Output.text(Help.overview)
  case "help" where words.count == 1: Output.text(Help.overview)
  case "help": try carryOut(words.dropFirst() + ["--help"])
  case "--version": Output.text("activityctl \(Help.version)\n")
  case let name?:
    if let command = CommandTable.command(named: name) {
      return try carryOut(command, Array(words.dropFirst()))
    }
    let group = CommandTable.commands(about: name)
    guard !group.isEmpty else { throw .usage("there is no command \(name)") }
    let both = words.prefix(2).joined(separator: " ")
    if let command = group.first(where: { $0.name == both }) {
      return try carryOut(command, Array(words.dropFirst(2)))
    }
    guard words.contains("--help") || words.contains("-h") else {
      throw .usage("say which: \(group.map(\.name).joined(separator: ", "))")
    }
    Output.text(group.map(Help.page).joined(separator: "\n"))
  }
}

func carryOut(_ command: Command, _ words: [String]) throws(Failure) {
  guard !words.contains("--help"), !words.contains("-h") else {
    return Output.text(Help.page(of: command))
  }
  try command.run(Arguments(words, of: command))
}
