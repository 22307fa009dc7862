import ActivityClient
import TestSupport
import Testing

@testable import activityctl

@Suite("Text on a terminal") struct TextTests {
  @Test(
    "takes as many columns as are seen",
    arguments: [
      ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("👨‍🍳", 2), ("👍🏽", 2), ("🇩🇪", 2), ("❤️", 2),
      ("1️⃣", 2), ("👩‍👩‍👧‍👦x", 3), ("", 0), ("한국", 4),
    ])
  func width(text: String, columns: Int) { #expect(TerminalText.width(text) == columns) }

  @Test("is cut between characters, never within one")
  func fitting() {
    #expect(TerminalText.fit("abcdef", 4) == "abc…")
    #expect(TerminalText.fit("abc", 3) == "abc")
    #expect(TerminalText.fit("👨‍🍳👨‍🍳👨‍🍳", 4) == "👨‍🍳…")
    #expect(TerminalText.pad("日本", 6) == "日本  ")
    #expect(TerminalText.pad("日本語", 4) == "日… ")
    #expect(TerminalText.fit("ab", 0) == "")
  }

  @Test("holds nothing that a terminal obeys")
  func safety() {
    #expect(
      TerminalText.safe("a\u{1b}[2Jb\u{9b}c\u{7f}\n\t\u{202e}d\u{0}") == "a␛[2Jb\u{fffd}c␡  d␀")
    #expect(TerminalText.safe("👨‍🍳❤️") == "👨‍🍳❤️")
  }

  @Test(
    "lengths of time are read as they are written",
    arguments: [
      ("90", 90), ("90s", 90), ("5m", 300), ("1h30m", 5_400), ("1.5h", 5_400), ("2d", 172_800),
      ("0", 0), ("1m0.5s", 60.5),
    ])
  func spans(text: String, seconds: Double) { #expect(TimeText.seconds(text) == seconds) }

  @Test(
    "and nothing else is one",
    arguments: [
      "", "5x", "m", "1m1h", "-5m", "5m5", "1e3", "inf", " 5",
      String(repeating: "9", count: 400), String(repeating: "9", count: 306) + "d",
    ])
  func noSpan(text: String) { #expect(TimeText.seconds(text) == nil) }

  @Test(
    "lengths of time are shown as by a clock",
    arguments: [
      (0, "0:00"), (65.9, "1:05"), (3_723, "1:02:03"), (90_061, "1d 1:01:01"), (-65, "-1:05"),
      (.infinity, "∞"),
    ])
  func clock(seconds: Double, text: String) { #expect(TimeText.clock(seconds) == text) }
}

@Suite("The help") struct HelpTests {
  @Test("shows every command, and every flag of it, in 80 columns")
  func complete() throws {
    for command in CommandTable.commands {
      #expect(Help.overview.contains("  \(command.name) "))
      let page = try Shell.run("\(Control.executable) \(command.name) --help").output
      for option in CommandTable.options(of: command) { #expect(page.contains(option.synopsis)) }
      #expect(page.split(separator: "\n").allSatisfy { $0.count < 80 }, "\(page)")
    }
    #expect(Help.overview.split(separator: "\n").allSatisfy { $0.count < 80 })
  }

  @Test("no command has a flag twice")
  func unique() {
    for command in CommandTable.commands {
      let names = CommandTable.options(of: command).map(\.name)
      #expect(Set(names).count == names.count, "\(command.name)")
    }
  }

  @Test("goes to the standard output, with success")
  func showing() throws {
    for word in ["--help", "help", "-h", "--version"] {
      let result = try Shell.run("\(Control.executable) \(word) 2>/dev/null")
      #expect(result.status == 0)
      #expect(result.output.contains("activityctl"))
    }
    for words in ["help get", "get --help", "get -h"] {
      let result = try Shell.run("\(Control.executable) \(words)")
      #expect(result.output.hasPrefix("Usage: activityctl get [FLAG]…\n"))
    }
    let group = try Shell.run("\(Control.executable) help token").output
    #expect(group.contains("Usage: activityctl token add NAME [FLAG]…\n"))
    #expect(group.contains("Usage: activityctl token list [FLAG]…\n"))
    #expect(try Shell.run("\(Control.executable) help nothing 2>/dev/null").status == 64)
    #expect(try Shell.run("\(Control.executable) token 2>/dev/null").status == 64)
  }
}
