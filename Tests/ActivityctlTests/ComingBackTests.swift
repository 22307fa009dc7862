import ActivityClient
import Glibc
import TestSupport
import Testing

@testable import activityctl

@Suite("Commands that are told when to come back") struct ComingBackTests {
  private static func refusal(_ seconds: Int) -> ScriptedDaemon.Speech {
    ScriptedDaemon.Speech(
      [
        #"{"error":"limit-reached","message":"m","retryable":true,"retry-after":\#(seconds)}"#,
        #"{"event":"bye","reason":"limit-reached","reconnect-after":\#(seconds)}"#,
      ], isLast: true)
  }

  @Test("what may be better later is 75, before the greeting too")
  func exitCode() throws {
    let daemon = try ScriptedDaemon(Self.refusal(1_000))
    let result = try Control().run("activityctl ping --server unix:\(daemon.socketPath)")
    #expect(result.status == 75)
    #expect(result.errors.first == "activityctl: limit-reached: m")
  }

  @Test("monitor waits as long as it is told")
  func monitor() throws {
    let farewell = ScriptedDaemon.Speech(
      [
        ScriptedDaemon.welcome, #"{"ok":"monitor"}"#,
        #"{"event":"bye","reason":"shutting-down","reconnect-after":1000}"#,
      ], isLast: true)
    for speech in [Self.refusal(1_000), farewell] {
      let daemon = try ScriptedDaemon(speech)
      let result = try Control().run(
        """
        exec 3< <(exec \(Control.executable) monitor --server unix:\(daemon.socketPath) 2>&1)
        read -r line <&3; kill $!; echo "$line"
        """)
      #expect(result.output.first?.hasPrefix("activityctl: away, again in 1001 s: ") == true)
    }
  }

  @Test("a simulated publisher stays away as long as it is told")
  func publisher() throws {
    let daemon = try ScriptedDaemon(Self.refusal(1_000))
    let publisher = SimulatedPublisher(.unix(path: daemon.socketPath), identity: Identity())
    publisher.write("cancel", ["id": "a"])
    var seen = Measurements()
    // Of its own it would be back after a tenth of a second.
    for _ in 0..<50 {
      try publisher.turn(&seen)
      usleep(10_000)
    }
    #expect(daemon.connectionCount == 1)
    #expect(!publisher.isIdle)
  }
}
