import ActivityCore
import Testing

@Suite("Pending")
struct PendingTests {
  let desk = Desk()

  private func schedule(_ change: (inout Start) -> Void = { _ in }) {
    desk.start { start in
      start.start = .at(at(600))
      change(&start)
    }
  }

  @Test("a start-date ahead makes it pending: no shown-seq, in nobody's view")
  func pending() {
    schedule { $0.channels = ["c"] }
    #expect(desk["ride"]?.state == .pending)
    #expect(desk["ride"]?.generation == 1)
    #expect(desk["ride"]?.shownSeq == 0)
    #expect(desk["ride"]?.endDate == at(600 + hours(8)))
    var interest = Interest()
    interest.all = true
    #expect(desk.coordinator.shown(in: interest).isEmpty)
    interest.channels = ["c"]
    #expect(desk.coordinator.shown(in: interest).isEmpty)
  }

  @Test("it starts at its start-date, and its generation stays that of the start request")
  func starts() throws {
    schedule()
    #expect(desk.pass(to: 599.999_999).isEmpty)
    desk.start("other")
    desk.pass(to: 600)
    let ride = try #require(desk["ride"])
    #expect(ride.state == .active)
    #expect((ride.version, ride.generation, ride.seq, ride.shownSeq) == (2, 1, 3, 3))
    #expect((ride.dueAt, ride.startDate) == (at(600), at(600)))
  }

  @Test("the transition of its start enters view but opens no generation")
  func transition() throws {
    schedule()
    let start = try #require(desk.pass(to: 700).first?.transition)
    #expect(start.entersView && !start.opensGeneration)
  }

  @Test("stale-after and lifetime count from the start-date")
  func spansCountFromTheStart() {
    schedule { start in
      start.stale = .after(.minutes(5))
      start.lifetime = .hours(1)
    }
    #expect(desk["ride"]?.staleDate == at(900))
    #expect(desk["ride"]?.endDate == at(600 + hours(1)))
  }

  @Test("a stale-date before its start makes it start stale", arguments: [599.0, 600])
  func startsStale(seconds: Double) {
    schedule { $0.stale = .at(at(seconds)) }
    #expect(desk["ride"]?.state == .pending)
    desk.pass(to: 600)
    #expect(desk["ride"]?.state == .stale)
    #expect(desk["ride"]?.version == 2)
    #expect(desk["ride"]?.shownSeq == 2)
  }

  @Test("its alert sounds when it starts")
  func alert() {
    schedule { $0.alert = json(#""go""#) }
    #expect(desk["ride"]?.alert == Alert(content: json(#""go""#), version: 0, seq: 0, at: at(0)))
    desk.update { $0.alert = json(#""run""#) }
    #expect(desk["ride"]?.alert?.version == 0)
    #expect(desk["ride"]?.alert?.seq == 0)
    desk.pass(to: 650)
    #expect(
      desk["ride"]?.alert == Alert(content: json(#""run""#), version: 3, seq: 3, at: at(600)))
  }

  @Test("an update changes what will be shown, and may move it")
  func moves() throws {
    schedule { $0.lifetime = .hours(1) }
    desk.now = at(10)
    desk.update("ride", "1") { update in
      update.start = .at(at(1_000))
      update.stale = .after(.seconds(30))
    }
    let ride = try #require(desk["ride"])
    #expect(ride.state == .pending)
    #expect((ride.version, ride.startDate) == (2, at(1_000)))
    #expect(ride.staleDate == at(1_030))
    #expect(ride.endDate == at(1_000 + hours(1)))
    #expect(desk.pass(to: 999).isEmpty)
    desk.pass(to: 1_000)
    #expect(desk["ride"]?.state == .active)
    #expect(desk["ride"]?.contentState == json("1"))
  }

  @Test("moved to now, it starts as soon as time is looked at")
  func movedToNow() {
    schedule()
    desk.update { $0.start = .at(at(-30)) }
    #expect(desk.coordinator.nextDeadline == at(0))
    desk.pass(to: 0)
    #expect(desk["ride"]?.state == .active)
  }

  @Test("it can't be moved to long ago or too far ahead")
  func badMoves() {
    schedule()
    #expect(desk.update { $0.start = .at(at(-61)) }.code == .dateInPast)
    #expect(desk.update { $0.start = .after(.hours(30 * 24 + 1)) }.code == .badValue)
    #expect(desk["ride"]?.startDate == at(600))
  }

  @Test("cancelled or ended before its start, it is never shown")
  func neverShown() throws {
    schedule { $0.alert = json(#""go""#) }
    desk.cancel()
    let ride = try #require(desk["ride"])
    #expect(ride.state == .dismissed)
    #expect((ride.shownSeq, ride.reason) == (0, .cancelled))
    #expect(ride.alert == nil)
    #expect(ride.endedAt == nil)

    desk.start("other") { $0.start = .after(.hours(1)) }
    let verdict = desk.end("other", "9") { $0.dismissal = .byDefault }
    #expect(verdict.transitions.map(\.activity.state) == [.dismissed])
    #expect(desk["other"]?.reason == .cancelled)
    var interest = Interest()
    interest.all = true
    #expect(desk.coordinator.dismissed(in: interest, after: 0).isEmpty)
    #expect(desk.pass(to: hours(2)).isEmpty)
  }
}
