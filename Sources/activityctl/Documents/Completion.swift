/// Scripts by which shells complete what is typed, made from the table of commands.
enum Completion {
  static let shells = ["bash", "zsh", "fish"]

  static let command = Command(
    name: "completion", summary: "write the completions for a shell",
    details: """
      SHELL is bash, zsh or fish. For bash, put the output into \
      /etc/bash_completion.d/activityctl; for zsh, as _activityctl into a folder of $fpath; for \
      fish, into ~/.config/fish/completions/activityctl.fish.
      """,
    operand: Operand(name: "SHELL")
  ) { arguments throws(Failure) in
    switch arguments.operand {
    case "bash": Output.text(bash + "\n")
    case "zsh": Output.text(zsh + "\n")
    case "fish": Output.text(fish + "\n")
    default: throw .usage("SHELL is bash, zsh or fish", of: "completion")
    }
  }

  /// Text within single quotes of a shell.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }

  private static func flags(of command: Command) -> [String] {
    CommandTable.options(of: command).map { "--\($0.name)" }
  }
}

// MARK: - bash

extension Completion {
  static var bash: String {
    let names = CommandTable.firstWords.map(\.text) + CommandTable.alone.map { "--\($0.name)" }
    let cases = CommandTable.commands.map { command in
      let operands =
        command.name == Self.command.name ? shells : []
      let words = (operands + flags(of: command)).joined(separator: " ")
      let isFile = command.operand?.isFile ?? false
      return "    \(quoted(command.name))) words='\(words)'\(isFile ? "; files=1" : "") ;;"
    }
    return """
      # Completions of activityctl for bash.
      _activityctl() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= files=
        local command=${COMP_WORDS[1]}
        COMPREPLY=()
        if ((COMP_CWORD == 1)); then
          mapfile -t COMPREPLY < <(compgen -W '\(names.joined(separator: " "))' -- "$word")
          return
        fi
        case $command in
      \(bashGroups.joined(separator: "\n"))
        esac
        case $before in
      \(bashValues.joined(separator: "\n"))
        esac
        case $command in
      \(cases.joined(separator: "\n"))
        esac
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        if [[ $files && $word != -* ]]; then
          mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
      }
      complete -o filenames -F _activityctl activityctl
      """
  }

  /// Words that others follow.
  private static var bashGroups: [String] {
    CommandTable.firstWords.filter { !$0.next.isEmpty }.map { group in
      """
          \(group.text))
            if ((COMP_CWORD == 2)); then
              mapfile -t COMPREPLY < <(compgen -W \
      '\(group.next.map(\.text).joined(separator: " "))' -- "$word")
              return
            fi
            command+=" ${COMP_WORDS[2]}" ;;
      """
    }
  }

  /// What may follow a flag that takes a value. A flag means the same in all commands.
  private static var bashValues: [String] {
    distinctOptions.compactMap { option in
      switch option.kind {
      case .flag: nil
      case .choice(let words):
        """
            --\(option.name)) mapfile -t COMPREPLY < <(compgen -W \
        '\(words.joined(separator: " "))' -- "$word"); return ;;
        """
      case .file:
        "    --\(option.name)) mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return ;;"
      default: "    --\(option.name)) return ;;"
      }
    }
  }

  private static var distinctOptions: [Option] {
    var seen: Set<String> = []
    return CommandTable.commands.flatMap { CommandTable.options(of: $0) }
      .filter { seen.insert($0.name).inserted }
  }
}

// MARK: - zsh

extension Completion {
  static var zsh: String {
    let words =
      CommandTable.firstWords.map { quoted("\($0.text):\($0.summary)") }
      + CommandTable.alone.map { quoted("--\($0.name):\($0.summary)") }
    let cases = CommandTable.commands.map { command in
      let arguments =
        CommandTable.options(of: command).map { zshArgument($0) } + zshOperand(command)
      let name = quoted(command.name)
      return "    \(name)) _arguments \(arguments.joined(separator: " \\\n      ")) ;;"
    }
    return """
      #compdef activityctl
      # Completions of activityctl for zsh.
      _activityctl() {
        local -a commands=(
          \(words.joined(separator: "\n    "))
        )
        if ((CURRENT == 2)); then
          _describe command commands
          return
        fi
        local command=$words[2]
        shift words
        ((CURRENT--))
        case $command in
      \(zshGroups.joined(separator: "\n"))
        esac
        case $command in
      \(cases.joined(separator: "\n"))
        esac
      }
      _activityctl "$@"
      """
  }

  /// Words that others follow.
  private static var zshGroups: [String] {
    CommandTable.firstWords.filter { !$0.next.isEmpty }.map { group in
      let seconds = group.next.map { quoted("\($0.text):\($0.summary)") }
      return """
            \(group.text))
              if ((CURRENT == 2)); then
                local -a seconds=(\(seconds.joined(separator: " ")))
                _describe command seconds
                return
              fi
              command+=" $words[2]"
              shift words
              ((CURRENT--)) ;;
        """
    }
  }

  private static func zshArgument(_ option: Option) -> String {
    let isRepeatable =
      switch option.kind {
      case .names, .pairs: true
      default: false
      }
    let summary = option.summary.map { "[]:".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    let value: String? =
      switch option.kind {
      case .flag: nil
      case .choice(let words): ":\(option.name):(\(words.joined(separator: " ")))"
      case .file: ":file:_files"
      default: ":\(option.metavariable ?? ""): "
      }
    return quoted("\(isRepeatable ? "*" : "")--\(option.name)[\(summary)]\(value ?? "")")
  }

  private static func zshOperand(_ command: Command) -> [String] {
    guard let operand = command.operand else { return [] }
    if command.name == Self.command.name {
      return [quoted("1:\(operand.name):(\(shells.joined(separator: " ")))")]
    }
    return [quoted("1:\(operand.name):\(operand.isFile ? "_files" : " ")")]
  }
}

// MARK: - fish

extension Completion {
  static var fish: String {
    var lines = ["# Completions of activityctl for fish.", "complete -c activityctl -f"]
    let first = "complete -c activityctl -n __fish_use_subcommand"
    for option in CommandTable.alone {
      lines.append("\(first) -l \(option.name) -d \(quoted(option.summary))")
    }
    for word in CommandTable.firstWords {
      lines.append("\(first) -a \(word.text) -d \(quoted(word.summary))")
      guard !word.next.isEmpty else { continue }
      let next = word.next.map(\.text).joined(separator: " ")
      let condition =
        "__fish_seen_subcommand_from \(word.text); and not __fish_seen_subcommand_from \(next)"
      lines.append("complete -c activityctl -n '\(condition)' -a '\(next)'")
    }
    for command in CommandTable.commands {
      let start = "complete -c activityctl -n '\(fishCondition(command))'"
      lines += CommandTable.options(of: command).map { option in
        "\(start) -l \(option.name)\(fishValue(option)) -d \(quoted(option.summary))"
      }
      if command.operand?.isFile ?? false { lines.append("\(start) -F") }
      if command.name == Self.command.name {
        lines.append("\(start) -a '\(shells.joined(separator: " "))'")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Whether all words of its name have been typed, and it isn't the second word of another one.
  private static func fishCondition(_ command: Command) -> String {
    let words = command.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }
    let others = CommandTable.firstWords.filter { first in
      first.next.contains { $0.text == command.name }
    }.map { "not __fish_seen_subcommand_from \($0.text)" }
    return (words + others).joined(separator: "; and ")
  }

  private static func fishValue(_ option: Option) -> String {
    switch option.kind {
    case .flag: ""
    case .choice(let words): " -x -a '\(words.joined(separator: " "))'"
    case .file: " -r -F"
    default: " -x"
    }
  }
}
