import ActivityCore
import Testing

@Suite("Lifetime")
struct LifetimeTests {
  let desk = Desk()

  @Test("after 8 h it ends by itself, and is dismissed 4 h later")
  func ends() throws {
    desk.start("ride", "5")
    #expect(desk.pass(to: hours(8) - 0.000_001).isEmpty)
    desk.pass(to: hours(8))
    let ended = try #require(desk["ride"])
    #expect(ended.state == .ended)
    #expect((ended.version, ended.reason) == (2, .lifetime))
    #expect(ended.contentState == json("5"))
    #expect((ended.endedAt, ended.dueAt) == (at(hours(8)), at(hours(8))))
    #expect(ended.dismissalDate == at(hours(12)))
    desk.pass(to: hours(12))
    #expect(desk["ride"]?.state == .dismissed)
    #expect(desk["ride"]?.reason == .ended)
  }

  @Test("no update moves the end")
  func updatesDoNotMoveIt() {
    desk.start()
    desk.now = at(hours(7))
    desk.update("ride", "1") { $0.stale = .after(.hours(3)) }
    #expect(desk.coordinator.nextDeadline == at(hours(8)))
    desk.pass(to: hours(8))
    #expect(desk["ride"]?.state == .ended)
  }

  @Test("a lifetime may be named, up to 12 h")
  func named() {
    #expect(desk.start { $0.lifetime = .minutes(30) }.outcome == .applied)
    #expect(desk["ride"]?.endDate == at(minutes(30)))
    #expect(desk.start("long") { $0.lifetime = .hours(12) }.outcome == .applied)
    let refused = desk.start("longer") {
      $0.lifetime = TimeSpan(microseconds: TimeSpan.hours(12).microseconds + 1)
    }
    #expect(refused.code == .badValue)
    #expect(refused.refusal?.key == "lifetime")
  }

  @Test("a long absence makes all changes due, each at its own time")
  func longAbsence() {
    desk.start { start in
      start.start = .after(.minutes(10))
      start.stale = .after(.minutes(20))
    }
    desk.pass(to: hours(20))
    #expect(desk.landed.map(\.state) == [.pending, .active, .stale, .ended, .dismissed])
    #expect(
      desk.landed.map(\.dueAt) == [
        nil, at(minutes(10)), at(minutes(30)), at(minutes(10) + hours(8)),
        at(minutes(10) + hours(12)),
      ])
    #expect(desk.landed.map(\.version) == [1, 2, 3, 4, 5])
    #expect(desk.landed.map(\.shownSeq) == [0, 2, 2, 2, 2])
    #expect(desk["ride"]?.dismissedAt == at(minutes(10) + hours(12)))
  }

  @Test("at equal times the lifetime goes before the stale-date")
  func lifetimeBeforeStale() {
    desk.start { start in
      start.lifetime = .hours(1)
      start.stale = .after(.hours(1))
    }
    desk.pass(to: hours(1))
    #expect(desk.landed.map(\.state) == [.active, .ended])
  }

  @Test("a stale-date after the lifetime never comes")
  func staleAfterTheEnd() {
    desk.start { start in
      start.lifetime = .hours(1)
      start.stale = .after(.hours(2))
    }
    desk.pass(to: hours(3))
    #expect(desk.landed.map(\.state) == [.active, .ended])
  }

  @Test("an end after the lifetime is over finds it ended")
  func endTooLate() {
    desk.start()
    desk.now = at(hours(8) + 1)
    #expect(desk.end("ride", "9").code == .ended)
    #expect(desk.end().outcome == .noop)
    #expect(desk["ride"]?.reason == .lifetime)
  }
}
