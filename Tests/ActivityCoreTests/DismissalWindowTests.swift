import ActivityCore
import Testing

@Suite("The time shown after the end")
struct DismissalWindowTests {
  let desk = Desk()

  struct Case: Sendable {
    let asked: Dismissal
    /// Seconds after the end.
    let shown: Double
  }

  @Test(
    "a dismissal-date is at most 4 h after the end",
    arguments: [
      Case(asked: .byDefault, shown: hours(4)),
      Case(asked: .when(.at(at(100 + 1))), shown: 1),
      Case(asked: .when(.after(.hours(1))), shown: hours(1)),
      Case(asked: .when(.at(at(100 + hours(4)))), shown: hours(4)),
      Case(asked: .when(.at(at(100 + hours(4) + 1))), shown: hours(4)),
      Case(asked: .when(.at(.distantFuture)), shown: hours(4)),
    ])
  func window(example: Case) throws {
    desk.start()
    desk.now = at(100)
    desk.end { $0.dismissal = example.asked }
    let due = 100 + example.shown
    #expect(desk["ride"]?.state == .ended)
    #expect(desk["ride"]?.dismissalDate == at(due))
    #expect(desk.pass(to: due - 0.000_001).isEmpty)
    #expect(desk.pass(to: due).count == 1)
    let ride = try #require(desk["ride"])
    #expect(ride.state == .dismissed)
    #expect((ride.version, ride.reason) == (3, .ended))
    #expect((ride.dismissedAt, ride.dueAt) == (at(due), at(due)))
    #expect(ride.changedBy == nil)
  }

  @Test(
    "an immediate dismissal, or a date that has passed, ends and dismisses in one change",
    arguments: [Dismissal.immediate, .when(.at(at(100))), .when(.at(at(-5)))])
  func immediate(dismissal: Dismissal) throws {
    desk.start()
    desk.now = at(100)
    let verdict = desk.end("ride", "9") { end in
      end.dismissal = dismissal
      end.alert = json(#""bye""#)
    }
    #expect(verdict.transitions.count == 1)
    #expect(verdict.transitions.first?.basis == 1)
    let ride = try #require(desk["ride"])
    #expect(ride.state == .dismissed)
    #expect((ride.version, ride.reason) == (2, .ended))
    #expect((ride.endedAt, ride.dismissedAt) == (at(100), at(100)))
    #expect(ride.alert == Alert(content: json(#""bye""#), version: 2, seq: 2, at: at(100)))
  }

  @Test("the dismissal of an ended one can be brought forward")
  func broughtForward() {
    desk.start()
    desk.end()
    desk.now = at(60)
    #expect(desk.end { $0.dismissal = .when(.after(.minutes(10))) }.outcome == .applied)
    #expect(desk["ride"]?.state == .ended)
    #expect(desk["ride"]?.version == 3)
    #expect(desk["ride"]?.dismissalDate == at(660))
    #expect(desk["ride"]?.endedAt == at(0))
    #expect(desk.coordinator.nextDeadline == at(660))
    #expect(desk.end { $0.dismissal = .immediate }.outcome == .applied)
    #expect(desk["ride"]?.state == .dismissed)
    #expect(desk["ride"]?.version == 4)
  }

  @Test("but never put off")
  func neverPutOff() {
    desk.start()
    desk.end { $0.dismissal = .when(.after(.minutes(10))) }
    let verdict = desk.end { $0.dismissal = .when(.after(.minutes(11))) }
    #expect(verdict.code == .ended)
    #expect(verdict.refusal?.key == "dismissal-date")
    #expect(desk.end { $0.dismissal = .byDefault }.code == .ended)
    #expect(desk.end { $0.dismissal = .when(.at(at(minutes(10)))) }.outcome == .noop)
    #expect(desk["ride"]?.version == 2)
  }

  @Test("what is beyond 4 h is compared as 4 h")
  func clampedIsEqual() {
    desk.start()
    desk.end()
    desk.now = at(60)
    #expect(desk.end { $0.dismissal = .when(.after(.hours(9))) }.outcome == .noop)
    #expect(desk.end { $0.dismissal = .byDefault }.outcome == .noop)
  }
}
