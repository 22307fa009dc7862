import TestSupport
import Testing

@testable import ActivityClient

@Suite("Who is told when to come back") struct ComingBackTests {
  /// What comes in place of the greeting where there are too many connections.
  private static let refusal = ScriptedDaemon.Speech(
    [
      #"{"error":"limit-reached","message":"m","retryable":true,"retry-after":9.25}"#,
      #"{"event":"bye","reason":"limit-reached","reconnect-after":9.25}"#,
    ], isLast: true)

  private static func farewell(after seconds: String) -> ScriptedDaemon.Speech {
    ScriptedDaemon.Speech(
      [
        ScriptedDaemon.welcome,
        #"{"event":"bye","reason":"shutting-down","reconnect-after":\#(seconds)}"#,
      ], isLast: true)
  }

  @Test("a daemon that refuses to greet is one all the same, and may be tried again")
  func refusedGreeting() throws {
    let daemon = try ScriptedDaemon(Self.refusal)
    let error = #expect(throws: ClientError.self) { try Connection(to: daemon.address) }
    guard case .refused(let refusal) = error else {
      throw TestFailure("\(String(describing: error))")
    }
    #expect(refusal.code == "limit-reached")
    #expect(error?.isTemporary == true)
    #expect(error?.retryAfter == .milliseconds(9_250))
  }

  @Test("what refuses without a way back is none")
  func otherServer() throws {
    let daemon = try ScriptedDaemon(.init([#"{"error":"no","message":"such page"}"#]))
    #expect(throws: ClientError.notUnderstood("no: such page")) {
      try Connection(to: daemon.address)
    }
  }

  @Test("a client with patience comes back")
  func client() throws {
    let soon = ScriptedDaemon.Speech(
      [#"{"error":"limit-reached","message":"m","retryable":true,"retry-after":0.01}"#],
      isLast: true)
    let daemon = try ScriptedDaemon(
      soon, Self.farewell(after: "0.01"), .init([ScriptedDaemon.welcome, #"{"ok":"ping"}"#]))
    let client = Client(daemon.address, patience: .seconds(LineClient.patience))
    #expect(try client.request("ping").line.string("ok") == "ping")
  }

  @Test("a request that a good-bye overtakes is told when to come back")
  func farewell() throws {
    let daemon = try ScriptedDaemon(Self.farewell(after: "9.25"))
    #expect(
      throws: ClientError.lost(reason: "shutting-down", retryAfter: .milliseconds(9_250))
    ) { () throws(ClientError) in try Client(daemon.address).request("ping") }
  }

  @Test("the same device's newer connection leaves no way back")
  func superseded() throws {
    let daemon = try ScriptedDaemon(
      .init([ScriptedDaemon.welcome, #"{"event":"bye","reason":"superseded"}"#], isLast: true))
    #expect(throws: ClientError.superseded) { try Client(daemon.address).request("ping") }
  }

  @Test("a follower waits as long as it is told, wherever that is said")
  func follower() throws {
    for speech in [Self.refusal, Self.farewell(after: "9.25")] {
      let daemon = try ScriptedDaemon(speech)
      let follower = Follower(daemon.address, of: .everything)
      let change = try follower.change { if case .disconnected = $0 { true } else { false } }
      guard case .disconnected(_, let retryIn) = change else { return }
      #expect(retryIn >= .milliseconds(9_250))
    }
  }

  @Test("a ping that comes too soon is none to leave for")
  func hurriedPing() throws {
    let daemon = try ScriptedDaemon(
      .init([
        ScriptedDaemon.welcome, #"{"ok":"hello"}"#, #"{"ok":"subscribe"}"#,
        #"{"event":"synced","count":0}"#,
        #"{"event":"ping","now":1800000000}"#,
        #"{"error":"limit-reached","message":"m","retryable":true,"retry-after":1}"#,
        #"{"event":"feedback","what":"dismissed"}"#,
      ]))
    let follower = Follower(daemon.address, of: .everything)
    let change = try follower.change {
      switch $0 {
      case .event, .disconnected: true
      default: false
      }
    }
    guard case .event = change else { throw TestFailure("\(change)") }
  }

  @Test("the wait of its own comes on top")
  func rule() {
    var backoff = Backoff(shortest: .seconds(1))
    let wait = backoff.next(after: .lost(reason: "", retryAfter: .seconds(60)))
    #expect(.seconds(60.5) <= wait && wait <= .seconds(61))
    #expect(backoff.next(after: .timedOut) <= .seconds(2))
  }

  @Test(
    "a time that no clock can hold is for ever, or not at all",
    arguments: [
      ("1e300", Duration.longest), ("1e20", .longest), ("-1e300", .zero), ("1e999", nil),
    ])
  func hugeTime(seconds: String, wait: Duration?) throws {
    let daemon = try ScriptedDaemon(Self.farewell(after: seconds))
    let follower = Follower(daemon.address, of: .everything)
    let change = try follower.change { if case .disconnected = $0 { true } else { false } }
    guard case .disconnected(_, let retryIn) = change else { return }
    let told = wait ?? .zero
    #expect(told <= retryIn && retryIn <= told + .seconds(1))
  }
}
