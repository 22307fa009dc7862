import ActivityCore
import Testing

@Suite("Going stale")
struct StalenessTests {
  let desk = Desk()

  @Test("it goes stale at its stale-date, once, not a microsecond early")
  func goesStale() throws {
    desk.start { $0.stale = .at(at(300)) }
    #expect(desk.coordinator.nextDeadline == at(300))
    #expect(desk.pass(to: 299.999_999).isEmpty)
    #expect(desk["ride"]?.state == .active)
    #expect(desk.pass(to: 300).count == 1)
    let ride = try #require(desk["ride"])
    #expect(ride.state == .stale)
    #expect((ride.version, ride.dueAt, ride.staleDate) == (2, at(300), at(300)))
    #expect(ride.changedBy == nil)
    #expect(desk.pass(to: 301).isEmpty)
    #expect(desk.coordinator.nextDeadline == at(hours(8)))
  }

  @Test("a late firing tells the true due time and leaves the watermark")
  func lateFiring() {
    desk.start { $0.stale = .at(at(300)) }
    desk.pass(to: 4_000)
    #expect(desk["ride"]?.dueAt == at(300))
    #expect(desk["ride"]?.watermark == at(0))
  }

  @Test("a stale one takes updates and is active again")
  func revived() {
    desk.start { $0.stale = .at(at(300)) }
    desk.pass(to: 300)
    desk.update("ride", "1") { $0.stale = .after(.seconds(50)) }
    #expect(desk["ride"]?.state == .active)
    #expect(desk["ride"]?.staleDate == at(350))
    desk.pass(to: 350)
    #expect(desk["ride"]?.state == .stale)
  }

  @Test("an update before it is due moves the stale-date, or clears it")
  func moves() {
    desk.start { $0.stale = .at(at(300)) }
    desk.update { $0.stale = .at(at(400)) }
    #expect(desk.pass(to: 300).isEmpty)
    #expect(desk.coordinator.nextDeadline == at(400))
    desk.update()
    #expect(desk.coordinator.nextDeadline == at(hours(8)))
    #expect(desk.pass(to: 400).isEmpty)
  }

  @Test("a stale-date that has passed makes it stale at once", arguments: [-10.0, 0])
  func atOnce(seconds: Double) {
    desk.start { $0.stale = .at(at(seconds)) }
    #expect(desk["ride"]?.state == .stale)
    #expect(desk["ride"]?.version == 1)
    desk.start("other")
    desk.update("other") { $0.stale = .at(at(seconds)) }
    #expect(desk["other"]?.state == .stale)
    #expect(desk["other"]?.version == 2)
  }

  @Test("before a command, what is due happens first, as a change of its own")
  func dueBeforeACommand() throws {
    desk.start { $0.stale = .at(at(300)) }
    desk.now = at(310)
    let verdict = desk.update("ride", "1") { $0.ifVersion = 2 }
    #expect(verdict.outcome == .applied)
    #expect(verdict.transitions.map(\.activity.state) == [.stale, .active])
    #expect(desk.landed.map(\.version) == [1, 2, 3])
    let refused = desk.update("ride", "2") { $0.ifVersion = 2 }
    #expect(refused.code == .versionConflict)
  }

  @Test("a refused command still lets what is due happen")
  func dueBeforeARefusal() {
    desk.start { $0.stale = .at(at(300)) }
    desk.now = at(300)
    let verdict = desk.update("ride", "1") { $0.ifVersion = 1 }
    #expect(verdict.code == .versionConflict)
    #expect(verdict.refusal?.version == 2)
    #expect(desk["ride"]?.state == .stale)
  }

  @Test("a configured default gives a stale-date where none is named")
  func defaultStaleDate() {
    let desk = Desk { $0.staleAfterDefault = .minutes(10) }
    desk.start()
    #expect(desk["ride"]?.staleDate == at(minutes(10)))
    desk.now = at(60)
    desk.update()
    #expect(desk["ride"]?.staleDate == at(minutes(11)))
  }

  @Test("a stale-date can be made a duty")
  func requiredStaleDate() {
    let desk = Desk { $0.requiresStaleDate = true }
    #expect(desk.start().code == .missingKey)
    desk.start { $0.stale = .after(.minutes(1)) }
    #expect(desk.update("ride", "1").code == .missingKey)
    #expect(desk.update { $0.stale = .after(.minutes(2)) }.outcome == .applied)
  }

  @Test("one that ends has no stale-date any more")
  func endedHasNone() {
    desk.start { $0.stale = .at(at(300)) }
    desk.end()
    #expect(desk["ride"]?.staleDate == nil)
    #expect(desk.pass(to: 400).isEmpty)
  }
}
