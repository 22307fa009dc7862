import ActivityCore
import TestSupport
import Testing

@testable import activityctl

@Suite("Completions and the manual page") struct DocumentTests {
  private func complete(_ words: String...) throws -> [String] {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let result = try Shell.run(
      """
      eval "$(\(Control.executable) completion bash)"
      COMP_WORDS=(activityctl \(list)); COMP_CWORD=\(words.count)
      cd \(Files.repository("Protocol")) && _activityctl && printf '%s\\n' "${COMPREPLY[@]}"
      """)
    return result.lines
  }

  @Test("bash completes commands, their flags, and what flags take")
  func bash() throws {
    #expect(try complete("st") == ["start", "stats"])
    #expect(
      try complete("start", "--sta") == [
        "--state", "--state-json", "--stale-after", "--stale-date", "--start-after", "--start-date",
      ])
    #expect(try complete("start", "--if-exists", "") == ["error", "update", "replace"])
    #expect(try complete("start", "--id", "").isEmpty)
    #expect(try complete("push", "PRO") == ["PROTOCOL.md"])
    #expect(try complete("get", "--token-file", "PRO") == ["PROTOCOL.md"])
    #expect(try complete("completion", "z") == ["zsh"])
    #expect(try complete("to") == ["top", "token"])
    #expect(try complete("token", "") == ["add", "list", "revoke"])
    #expect(try complete("token", "add", "--ro") == ["--role"])
    #expect(try complete("token", "add", "--role", "p") == ["publisher"])
    #expect(try complete("--") == ["--help", "--version"])
    #expect(try complete("he") == ["help"])
    #expect(try complete("help", "sta") == ["start", "stats"])
  }

  @Test("every shell is told of every command and flag", arguments: Completion.shells)
  func complete(shell: String) throws {
    let text = try Shell.run("\(Control.executable) completion \(shell)").output
    for command in CommandTable.commands {
      for word in command.name.split(separator: " ") { #expect(text.contains(word)) }
      for option in command.options { #expect(text.contains(option.name)) }
    }
  }

  @Test(
    "the scripts are well formed, as far as their shells are there",
    arguments: [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")])
  func syntax(shell: String, option: String) throws {
    let result = try Shell.run(
      """
      command -v \(shell) >/dev/null || exit 0
      \(Control.executable) completion \(shell) >"${TMPDIR:-/tmp}/completion.$$"
      \(shell) \(option) "${TMPDIR:-/tmp}/completion.$$"; status=$?
      rm "${TMPDIR:-/tmp}/completion.$$"; exit $status
      """)
    #expect(result.status == 0)
  }

  @Test("the page for people from APNs names codes that there are, and sources that it lists")
  func apns() throws {
    let page = try Files.read(Files.repository("Protocol/APNS.md"))
    let sections = page.split(separator: "## ").map(String.init)
    let table = try #require(sections.first { $0.hasPrefix("Statuses and reasons") })
    let codes = Set(ErrorCode.allCases.map(\.rawValue))
    let keys = ["retryable", "retry-after", "outcome", "devices", "get", "delivery", "ok"]
    for row in table.split(separator: "\n") where row.hasPrefix("| ") {
      let here = row.split(separator: "|").last ?? ""
      for (index, word) in here.split(separator: "`").enumerated() where index % 2 == 1 {
        #expect(
          codes.contains(String(word)) || word == "idempotency-key" || keys.contains(String(word)))
      }
    }
    let sources = try #require(sections.first { $0.hasPrefix("Sources") })
    let listed = sources.split(separator: "\n").compactMap { Int($0.prefix { $0 != "." }) }
    #expect(listed == Array(1...listed.count))
    for number in listed {
      #expect(
        page.contains("[\(number)]") || page.contains(" \(number)]") || page.contains("[\(number),")
      )
    }
  }

  @Test("activityctl and the daemon are of one version")
  func version() throws {
    let daemon = try Shell.run("\(DaemonProcess.executable) --version").output
    let own = try Shell.run("\(Control.executable) --version").output
    #expect(own.split(separator: " ").last == daemon.split(separator: " ").last)
    #expect(own == "activityctl \(Help.version)\n")
  }

  @Test("the manual page names every flag of the help")
  func manualFlags() throws {
    let manual = try Shell.run("\(Control.executable) man").output
    for command in ["--help"] + CommandTable.commands.map({ "\($0.name) --help" }) {
      let help = try Shell.run("\(Control.executable) \(command)").output
      let flags = help.split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("--") }
      #expect(!flags.isEmpty)
      for flag in Set(flags) {
        let name = flag.map { $0 == "-" ? "\\-" : "\($0)" }.joined()
        #expect(manual.contains(name), "\(command): \(flag)")
      }
    }
  }

  @Test("what the help says that dismiss and push take is taken")
  func promises() throws {
    let control = try Control()
    try control.succeed("activityctl start --id a --type T --state n=1")
    #expect(try control.run("activityctl dismiss --id a").status == 64)
    let payload = #"{"aps":{"event":"start","attributes-type":"T","content-state":1}}"#
    try control.succeed(
      """
      echo '\(payload)' | activityctl push - --id b --source s --source-priority 0 --priority 5 \
      --start-after 1h --channel x --lifetime 1h --sensitive content-state --if-exists replace
      """)
    let item = try control.json("activityctl get --id b")["activity"]?.object
    #expect(item?["source"]?.string == "s")
    #expect(item?["state"]?.string == "pending")
  }

  @Test("the manual page names every command, flag and exit code, and roff has no complaint")
  func manual() throws {
    let lines = ManualPage.text.split(separator: "\n").map(String.init)
    for command in CommandTable.commands {
      #expect(lines.contains { $0.hasPrefix(".SS \(command.name)") })
      for option in CommandTable.options(of: command) {
        let name = "--\(option.name)".map { $0 == "-" ? "\\-" : "\($0)" }.joined()
        #expect(lines.contains { $0.hasPrefix(".BI \(name) ") || $0 == ".BR \(name)" })
      }
    }
    for code in ExitCode.allCases { #expect(lines.contains(".B \(code.rawValue)")) }
    let complaints = try Shell.run(
      """
      command -v groff >/dev/null || exit 0
      \(Control.executable) man | groff -man -Tutf8 -ww 2>&1 >/dev/null
      """)
    #expect(complaints.output == "")
  }
}
