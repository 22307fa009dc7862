/// The page for `man`, made from the table of commands.
enum ManualPage {
  static let command = Command(
    name: "man", summary: "write the manual page",
    details: "activityctl man | man -l - shows it; it belongs into man1/activityctl.1."
  ) { _ throws(Failure) in Output.text(text + "\n") }

  static var text: String {
    let parts = [head, alone, commands, common, environment, files, exitStatus, examples, seeAlso]
    return parts.joined(separator: "\n")
  }

  private static var head: String {
    """
    .TH ACTIVITYCTL 1 "" "activityd \(Help.version)" "User Commands"
    .SH NAME
    activityctl \\- publish live activities, show them, and look after activityd
    .SH SYNOPSIS
    .B activityctl
    .I COMMAND
    .RI [ FLAG ]...
    .br
    .B activityctl help
    .RI [ COMMAND ]
    .br
    .B activityctl
    .BR \\-\\-help | \\-\\-version
    .SH DESCRIPTION
    .B activityctl
    asks an
    .BR activityd (8)
    for things, and shows what it answers: sentences and tables, or with
    .B \\-\\-json
    the daemon's own lines. It finds a daemon of this machine by itself.
    .PP
    A
    .I TIME
    is a number of seconds, or of units as in 90s, 5m, 1h30m or 2d.
    """
  }

  private static var commands: String {
    var lines = [".SH COMMANDS"]
    for command in CommandTable.commands {
      let operand = command.operand.map { " \($0.synopsis)" } ?? ""
      lines.append(".SS \(escaped(command.name + operand))")
      lines.append(escaped(Help.sentence(command.summary)))
      if !command.details.isEmpty { lines.append(escaped(command.details)) }
      lines += command.options.flatMap(entry)
    }
    return lines.joined(separator: "\n")
  }

  private static var alone: String {
    """
    .SH OPTIONS
    .TP
    .BR \\-\\-help ", " \\-h ", " help
    Show the commands; with a
    .I COMMAND
    after it,
    .B help
    shows the flags of that one, as
    .B \\-\\-help
    does behind the command.
    .TP
    .B \\-\\-version
    Show the version.
    """
  }

  private static var common: String {
    ([".SH FLAGS OF ALL COMMANDS"] + CommandTable.common.flatMap(entry)).joined(separator: "\n")
  }

  private static func entry(_ option: Option) -> [String] {
    var tag = ".BR \(escaped("--\(option.name)"))"
    if let value = option.metavariable {
      tag = ".BI \(escaped("--\(option.name)")) \" \(escaped(value))\""
    }
    return [".TP", tag, escaped(Help.sentence(option.summary))]
  }

  private static var environment: String {
    """
    .SH ENVIRONMENT
    .TP
    .B ACTIVITYD_SERVER
    The address of the daemon, where
    .B \\-\\-server
    isn't given.
    .TP
    .B ACTIVITYD_TOKEN_FILE
    A file that holds a token, where
    .B \\-\\-token\\-file
    isn't given.
    .TP
    .B ACTIVITYD_TOKEN
    A token. There is no flag for it: others can see the flags of a process.
    .TP
    .BR ACTIVITYD_CA ", " ACTIVITYD_CERT ", " ACTIVITYD_KEY
    Files for TLS, where
    .BR \\-\\-ca ", " \\-\\-cert " or " \\-\\-key
    isn't given.
    .TP
    .B NO_COLOR
    If it isn't empty, there are no colours.
    """
  }

  private static var files: String {
    """
    .SH FILES
    The daemon is looked for at
    .IR $XDG_RUNTIME_DIR/activityd/activityd.sock ,
    .IR /tmp/activityd\\-UID/activityd.sock ,
    .I /run/activityd/activityd.sock
    and then at TCP port 7420 of this machine.
    """
  }

  private static var exitStatus: String {
    var lines = [".SH EXIT STATUS"]
    for code in ExitCode.allCases {
      lines += [".TP", ".B \(code.rawValue)", escaped(Help.sentence(code.meaning))]
    }
    return lines.joined(separator: "\n")
  }

  private static var examples: String {
    """
    .SH EXAMPLES
    .EX
    activityctl start \\-\\-id order\\-1 \\-\\-type Delivery \\-\\-state status=preparing
    activityctl update \\-\\-id order\\-1 \\-\\-state status=onTheWay eta=12 \\-\\-stale\\-after 5m
    activityctl end \\-\\-id order\\-1 \\-\\-state status=arrived \\-\\-dismissal\\-after 10m
    activityctl watch \\-\\-type Delivery
    .EE
    """
  }

  private static var seeAlso: String {
    """
    .SH SEE ALSO
    .BR activityd (8)
    """
  }

  /// Text for roff: hyphens that are meant, and nothing that begins a request.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "…": escaped += "..."
      default: escaped.append(character)
      }
    }
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
