import ActivityCore
import Testing

@Suite("Starting")
struct StartTests {
  let desk = Desk()

  @Test("a start makes an active activity: version 1, generation and shown-seq of its seq")
  func starts() throws {
    desk.start("other")
    let verdict = desk.start { start in
      start.attributes = json(#"{"n":7}"#)
      start.channels = ["order-7"]
      start.url = json(#""https://example.org""#)
      start.links = json("[]")
    }
    #expect(verdict.outcome == .applied)
    let ride = try #require(desk["ride"])
    #expect(ride.state == .active)
    #expect((ride.version, ride.generation, ride.seq, ride.shownSeq) == (1, 2, 2, 2))
    #expect(ride.attributesType == "Ride")
    #expect(ride.attributes == json(#"{"n":7}"#))
    #expect(ride.contentState == json("0"))
    #expect(ride.channels == ["order-7"])
    #expect(ride.url == json(#""https://example.org""#))
    #expect(ride.links == json("[]"))
    #expect(ride.changedBy == "tester")
    #expect(ride.relevanceScore == 0)
    #expect(ride.source == nil && ride.alert == nil && ride.staleDate == nil)
    #expect((ride.startDate, ride.endDate) == (at(0), at(hours(8))))
  }

  @Test("the transition says what it opens, on what it was decided and how urgent it is")
  func transition() throws {
    let verdict = desk.start { $0.priority = .low }
    let transition = try #require(verdict.transitions.first)
    #expect(verdict.mutations.count == 1)
    #expect(transition.opensGeneration && transition.entersView)
    #expect(transition.basis == 0)
    #expect(transition.priority == .low)
  }

  @Test("a start-date up to 60 s ago starts now", arguments: [-60, -59.999_999, -0.000_001, 0])
  func slightlyLate(seconds: Double) throws {
    #expect(desk.start { $0.start = .at(at(seconds)) }.outcome == .applied)
    let ride = try #require(desk["ride"])
    #expect(ride.state == .active)
    #expect(ride.startDate == at(0))
  }

  @Test("a start-date more than 60 s ago is refused")
  func tooLate() {
    let verdict = desk.start { $0.start = .at(at(-60.000_001)) }
    #expect(verdict.code == .dateInPast)
    #expect(verdict.refusal?.key == "start-date")
    #expect(desk["ride"] == nil)
  }

  @Test("a start-date may be 30 days ahead and no further")
  func aheadLimit() {
    let limit = hours(30 * 24)
    #expect(desk.start("b") { $0.start = .at(at(limit + 0.000_001)) }.code == .badValue)
    #expect(desk.start("a") { $0.start = .at(at(limit)) }.outcome == .applied)
    #expect(desk.start("c") { $0.start = .after(.hours(30 * 24)) }.outcome == .applied)
  }

  @Test("an alert belongs to the version that brought it")
  func alert() throws {
    desk.start { $0.alert = json(#""soon""#) }
    #expect(
      desk["ride"]?.alert
        == Alert(content: json(#""soon""#), version: 1, seq: 1, at: at(0)))
    desk.update("ride", "1")
    #expect(desk["ride"]?.alert?.version == 1)
    #expect(desk["ride"]?.alert?.seq == 1)
  }

  @Test("a refused start leaves no trace")
  func refusedLeavesNothing() {
    #expect(desk.start { $0.timestamp = stamp(61) }.code == .timestampInFuture)
    #expect(desk["ride"] == nil)
    #expect(desk.coordinator.activityCount == 0)
    #expect(desk.coordinator.nextDeadline == nil)
    #expect(desk.update("ride", "1").code == .unknownActivity)
  }
}
