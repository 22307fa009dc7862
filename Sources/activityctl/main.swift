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
  case "--help", "-h": print(Help.overview, terminator: "")
  case "help" where words.count == 1: print(Help.overview, terminator: "")
  case "help": try carryOut(words.dropFirst() + ["--help"])
  case "--version": print("activityctl \(Help.version)")
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
    print(group.map(Help.page).joined(separator: "\n"), terminator: "")
  }
}

func carryOut(_ command: Command, _ words: [String]) throws(Failure) {
  guard !words.contains("--help"), !words.contains("-h") else {
    return print(Help.page(of: command), terminator: "")
  }
  try command.run(Arguments(words, of: command))
}
