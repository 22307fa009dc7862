import ActivityCore
import Testing

@Suite("Ending and cancelling")
struct EndingTests {
  let desk = Desk()

  @Test("an end is final content, shown for 4 h more")
  func ends() throws {
    desk.start()
    desk.now = at(60)
    let verdict = desk.end("ride", "9") { $0.alert = json(#""there""#) }
    #expect(verdict.outcome == .applied)
    let ride = try #require(desk["ride"])
    #expect(ride.state == .ended)
    #expect(ride.contentState == json("9"))
    #expect((ride.version, ride.endedAt, ride.dismissalDate) == (2, at(60), at(60 + hours(4))))
    #expect(ride.reason == nil)
    #expect(ride.alert == Alert(content: json(#""there""#), version: 2, seq: 2, at: at(60)))
  }

  @Test("an end without content keeps the last one; a stale one can end too")
  func keepsContent() {
    desk.start("ride", "5") { $0.stale = .after(.seconds(1)) }
    desk.pass(to: 2)
    desk.end()
    #expect(desk["ride"]?.state == .ended)
    #expect(desk["ride"]?.contentState == json("5"))
    #expect(desk["ride"]?.dueAt == nil)
  }

  @Test("to end again is a noop, with equal content too")
  func endAgain() {
    desk.start()
    desk.end("ride", "9")
    #expect(desk.end().outcome == .noop)
    #expect(desk.end("ride", "9").outcome == .noop)
    #expect(desk["ride"]?.version == 2)
  }

  @Test("to end again with other content is refused: final is final")
  func otherFinalContent() {
    desk.start()
    desk.end("ride", "9")
    let verdict = desk.end("ride", "8")
    #expect(verdict.code == .ended)
    #expect(verdict.refusal?.version == 2)
    #expect(desk["ride"]?.contentState == json("9"))
  }

  @Test("a cancel takes it away at once, live or ended, and leaves a tombstone")
  func cancels() throws {
    desk.start("ride", "5") { start in
      start.channels = ["c"]
      start.attributes = json(#"{"n":1}"#)
      start.url = json(#""u""#)
    }
    desk.now = at(7)
    #expect(desk.cancel().outcome == .applied)
    let ride = try #require(desk["ride"])
    #expect(ride.state == .dismissed)
    #expect((ride.version, ride.reason, ride.dismissedAt) == (2, .cancelled, at(7)))
    #expect(ride.changedBy == "tester")
    #expect(ride.attributes == .emptyObject)
    #expect(ride.contentState == json("null"))
    #expect(ride.url == nil && ride.links == nil && ride.source == nil)
    #expect((ride.attributesType, ride.channels) == ("Ride", ["c"]))
    #expect((ride.generation, ride.shownSeq) == (1, 1))

    desk.start("other")
    desk.end("other")
    desk.cancel("other") { $0.reason = .device }
    #expect(desk["other"]?.state == .dismissed)
    #expect(desk["other"]?.reason == .device)
  }

  @Test("on a tombstone, end and cancel are noops")
  func tombstone() {
    desk.start()
    desk.cancel()
    #expect(desk.end("ride", "9").outcome == .noop)
    #expect(desk.cancel().outcome == .noop)
    #expect(desk["ride"]?.version == 2)
  }

  @Test("what isn't there can neither end nor be cancelled")
  func unknown() {
    #expect(desk.end().code == .unknownActivity)
    #expect(desk.cancel().code == .unknownActivity)
  }

  @Test("if-version guards end and cancel, on an ended and a dismissed one too")
  func ifVersion() {
    desk.start()
    #expect(desk.end { $0.ifVersion = 4 }.code == .versionConflict)
    #expect(desk.cancel { $0.ifVersion = 4 }.code == .versionConflict)
    #expect(desk.end { $0.ifVersion = 1 }.outcome == .applied)
    #expect(desk.end { $0.ifVersion = 1 }.code == .versionConflict)
    #expect(desk.end { $0.ifVersion = 2 }.outcome == .noop)
    #expect(desk.cancel { $0.ifVersion = 2 }.outcome == .applied)
    #expect(desk.cancel { $0.ifVersion = 2 }.code == .versionConflict)
    #expect(desk.cancel { $0.ifVersion = 3 }.outcome == .noop)
  }
}
