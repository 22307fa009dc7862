/// What `--help` shows.
enum Help {
  /// That of the daemon, with which it is released.
  static let version = "0.1.0"

  static var overview: String {
    let width = CommandTable.commands.map(\.name.count).max() ?? 0
    let commands = CommandTable.commands.map {
      "  \(TerminalText.pad($0.name, width))  \($0.summary)"
    }
    return """
      Usage: activityctl COMMAND [FLAG]…
      Publishes live activities to activityd, shows them, and looks after the daemon.

      \(commands.joined(separator: "\n"))

      activityctl help COMMAND shows the flags of a command, and so does
      activityctl COMMAND --help; activityctl --version shows the version. All take:
      \(lines(of: CommandTable.common).joined(separator: "\n"))

      Exit codes: \(exitCodes)

      """
  }

  static func page(of command: Command) -> String {
    let operand = command.operand.map { " \($0.synopsis)" } ?? ""
    var text = "Usage: activityctl \(command.name)\(operand) [FLAG]…\n"
    text += sentence(command.summary) + "\n"
    if !command.details.isEmpty { text += wrapped(command.details) + "\n" }
    text += "\n" + lines(of: command.options + CommandTable.common).joined(separator: "\n") + "\n"
    return text
  }

  private static var exitCodes: String {
    ExitCode.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ",\n  ") + "."
  }

  /// With a capital letter and a full stop.
  static func sentence(_ summary: String) -> String {
    summary.prefix(1).uppercased() + summary.dropFirst() + "."
  }

  /// Flags in one column, what they mean in another.
  private static func lines(of options: [Option]) -> [String] {
    let margin = 30
    return options.flatMap { option in
      let synopsis = "  " + option.synopsis
      var summary = wrapped(option.summary, columns: 79 - margin).split(separator: "\n")[...]
      let first = synopsis.count + 2 <= margin ? summary.removeFirst() : ""
      let head = first.isEmpty ? synopsis : TerminalText.pad(synopsis, margin) + first
      return [head] + summary.map { String(repeating: " ", count: margin) + $0 }
    }
  }

  /// The text in lines of at most so many columns.
  static func wrapped(_ text: String, columns: Int = 79) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].count + word.count >= columns { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines.joined(separator: "\n")
  }
}
