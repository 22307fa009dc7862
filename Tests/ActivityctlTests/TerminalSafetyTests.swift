import ActivityClient
import TestSupport
import Testing

@testable import activityctl

@Suite("Whatever a server says") struct TerminalSafetyTests {
  /// Control characters that JSON lets stand as they are.
  private static let commands = "\u{9b}2J\u{7f}\u{85}"

  private static let event =
    #"{"event":"start","id":"\#(commands)","generation":1,"version":1,"state":"active","#
    + #""attributes-type":"\#(commands)","content-state":"\#(commands)","alert":"\#(commands)"}"#

  @Test(
    "no command of it reaches the terminal",
    arguments: [
      ("ping", #"{"error":"\#(commands)","message":"\#(commands)","retryable":false}"#),
      ("ping --json", #"{"error":"\#(commands)","message":"\#(commands)","retryable":false}"#),
      ("cancel --id a", #"{"ok":"cancel","id":"\#(commands)","state":"\#(commands)"}"#),
      ("cancel --id a --json", #"{"ok":"cancel","id":"a","state":"\#(commands)"}"#),
      ("stats", #"{"ok":"stats","\#(commands)":{"\#(commands)":"\#(commands)"}}"#),
      ("metrics", #"{"ok":"stats","\#(commands)\n":{"\#(commands)\"\n":1}}"#),
      ("backup", #"{"ok":"backup","path":"\#(commands)"}"#),
      ("token revoke a", #"{"ok":"token-revoke","name":"\#(commands)"}"#),
      ("record - | head -n 1", event), ("watch | head -n 2", event),
      ("watch --json | head -n 1", event),
    ])
  func safe(command: String, line: String) throws {
    let answers = line.hasPrefix(#"{"event""#) ? [#"{"ok":"subscribe"}"#, line] : [line]
    let daemon = try ScriptedDaemon(.init([ScriptedDaemon.welcome] + answers))
    let result = try Shell.run(
      """
      export ACTIVITYD_SERVER=unix:\(daemon.socketPath)
      \(Control.executable) \(command) 2>&1
      """)
    #expect(!result.output.isEmpty)
    for line in result.output.split(separator: "\n") {
      let isSafe = line.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value)
      }
      #expect(isSafe, "\(command): \(line)")
    }
  }

  @Test("JSON is the same JSON when what a terminal obeys is escaped")
  func json() throws {
    #expect(
      TerminalText.json(["a\u{7f}": "\u{80}é\u{9f}\u{a0}"])
        == #"{"a\u007f":"\u0080é\u009f\#u{a0}"}"#
    )
  }
}
