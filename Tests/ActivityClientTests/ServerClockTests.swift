@testable import ActivityClient
import TestSupport
import Testing

@Suite("The daemon's clock") struct ServerClockTests {
  private static func welcome(_ clock: String) -> String {
    #"{"event":"welcome","protocol":1,\#(clock)}"#
  }

  @Test(
    "can't be one that makes numbers overflow",
    arguments: [
      #""now":1e300"#, #""now":1e999"#, #""now":0,"time-scale":0"#, #""now":0,"time-scale":1e300"#,
      #""now":0,"time-scale":"x""#,
    ])
  func impossible(clock: String) throws {
    let daemon = try ScriptedDaemon(.init([Self.welcome(clock)]))
    #expect(throws: ClientError.notUnderstood(Self.welcome(clock))) {
      try Connection(to: daemon.address)
    }
  }

  @Test("is told again with each ping")
  func ping() throws {
    let daemon = try ScriptedDaemon(
      .init([
        ScriptedDaemon.welcome, #"{"ok":"subscribe"}"#, #"{"event":"synced","count":0}"#,
        #"{"event":"ping","now":1900000000}"#, #"{"event":"ping","now":1e300}"#,
        #"{"event":"feedback","what":"dismissed"}"#,
      ]))
    let follower = Follower(daemon.address, of: .everything)
    _ = try follower.change { if case .event = $0 { true } else { false } }
    #expect(follower.clock.now >= 1_900_000_000)
    #expect(follower.clock.now < 1_900_000_000 + 3_600)
  }

  @Test("isn't set back by a ping that has waited to be read")
  func lateWord() {
    var clock = ServerClock()
    let now = clock.now
    let earliest = ContinuousClock.now - .seconds(30)
    clock.set(to: now - 20, saidAfter: earliest)
    #expect(clock.now >= now)
    clock.set(to: now + 50, saidAfter: earliest)
    #expect(clock.now >= now + 50)
    // More than the waiting explains: it was set.
    clock.set(to: now - 100_000, saidAfter: earliest)
    #expect(clock.now < now)
  }

  @Test("has no date so far ahead that waiting for it ends the process")
  func farAhead() throws {
    let daemon = try ScriptedDaemon(
      .init([
        ScriptedDaemon.welcome, #"{"ok":"subscribe"}"#,
        #"{"event":"start","id":"a","generation":1,"version":1,"state":"active","#
          + #""attributes-type":"T","content-state":1,"stale-date":1e300}"#,
        #"{"event":"synced","count":1}"#,
      ]))
    let follower = Follower(daemon.address, of: .everything)
    try follower.sync()
    #expect(try follower.next(within: .milliseconds(10)) == nil)
    #expect(follower.board["a"]?.state == .active)
  }
}
