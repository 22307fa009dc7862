import ActivityCore
import Testing

@Suite("Generations")
struct GenerationTests {
  let desk = Desk()

  @Test("the same start again is a noop, whatever its dates and whatever came since")
  func sameAgain() {
    desk.start("ride", "0") { $0.channels = ["a", "b"] }
    desk.now = at(5)
    desk.update("ride", "1")
    let verdict = desk.start("ride", "0") { start in
      start.channels = ["b", "a"]
      start.stale = .after(.hours(1))
      start.lifetime = .hours(2)
    }
    #expect(verdict.outcome == .noop)
    #expect(desk["ride"]?.contentState == json("1"))
    #expect(desk["ride"]?.version == 2)
  }

  static let differences: [@Sendable (inout Start) -> Void] = [
    { $0.contentState = json("1") },
    { $0.attributesType = "Match" },
    { $0.attributes = json(#"{"n":1}"#) },
    { $0.channels = ["c"] },
  ]

  @Test(
    "another start of a live or pending id already exists",
    arguments: differences.indices, [false, true])
  func alreadyExists(index: Int, isPending: Bool) {
    desk.start { if isPending { $0.start = .after(.hours(1)) } }
    let verdict = desk.start("ride", "0", Self.differences[index])
    #expect(verdict.code == .alreadyExists)
    #expect(verdict.refusal?.version == 1)
  }

  @Test("the same again is recognised before the timestamp is looked at")
  func sameAgainIsOld() {
    desk.start { $0.timestamp = stamp(0) }
    desk.update("ride", "1") { $0.timestamp = stamp(20) }
    #expect(desk.start { $0.timestamp = stamp(0) }.outcome == .noop)
    #expect(desk["ride"]?.watermark == at(20))
  }

  @Test("if-exists update is an update, compared with the present content")
  func ifExistsUpdate() {
    desk.start()
    desk.update("ride", "1")
    #expect(desk.start("ride", "1") { $0.ifExists = .update }.outcome == .noop)
    let verdict = desk.start("ride", "0") { start in
      start.ifExists = .update
      start.lifetime = .hours(1)
      start.start = .after(.hours(1))
    }
    #expect(verdict.outcome == .applied)
    #expect(verdict.ignored == ["lifetime", "start-date"])
    #expect(verdict.transitions.map(\.opensGeneration) == [false])
    #expect(desk["ride"]?.version == 3)
    #expect(desk["ride"]?.generation == 1)
  }

  @Test("if-exists update moves a pending one")
  func ifExistsUpdateOfPending() {
    desk.start { $0.start = .at(at(600)) }
    desk.start { start in
      start.start = .at(at(900))
      start.ifExists = .update
    }
    #expect(desk["ride"]?.startDate == at(900))
    #expect(desk["ride"]?.generation == 1)
  }

  @Test("if-exists update can't change attributes, type or channels", arguments: 1..<4)
  func ifExistsUpdateOfOther(index: Int) {
    desk.start()
    let verdict = desk.start { start in
      start.ifExists = .update
      Self.differences[index](&start)
    }
    #expect(verdict.code == .alreadyExists)
  }

  @Test("replace is always a new generation; the old one is dismissed first")
  func replace() {
    desk.start()
    let verdict = desk.start { $0.ifExists = .replace }
    #expect(verdict.transitions.map(\.activity.state) == [.dismissed, .active])
    #expect(verdict.transitions.map(\.basis) == [1, 2])
    #expect(verdict.transitions.map(\.opensGeneration) == [false, true])
    #expect(desk.landed.map(\.version) == [1, 2, 3])
    #expect(desk.landed.map(\.generation) == [1, 1, 3])
    #expect(desk.landed[1].reason == .replaced)
    #expect(desk["ride"]?.generation == 3)
    #expect(desk["ride"]?.shownSeq == 3)
    #expect(desk.coordinator.row(generation: 1)?.activity.state == .dismissed)
    #expect(desk.coordinator.activityCount == 1)
  }

  @Test("a pending new generation dismisses the one before it at once")
  func replaceByPending() {
    desk.start { $0.alert = json(#""old""#) }
    desk.start { start in
      start.ifExists = .replace
      start.start = .after(.hours(1))
      start.alert = json(#""new""#)
    }
    #expect(desk.landed.map(\.state) == [.active, .dismissed, .pending])
    #expect(desk["ride"]?.alert?.seq == 0)
    #expect(desk["ride"]?.shownSeq == 0)
  }

  @Test("a replaced pending one was never shown")
  func replacePending() {
    desk.start { $0.start = .after(.hours(1)) }
    desk.start { $0.ifExists = .replace }
    #expect(desk.coordinator.row(generation: 1)?.activity.shownSeq == 0)
    #expect(desk["ride"]?.state == .active)
  }

  @Test("a start of an ended id is a new generation and dismisses the ended one")
  func restartOfEnded() {
    desk.start()
    desk.end()
    #expect(desk.start().outcome == .applied)
    #expect(desk.landed.map(\.state) == [.active, .ended, .dismissed, .active])
    #expect(desk.landed.map(\.version) == [1, 2, 3, 4])
    #expect(desk.landed[2].reason == .replaced)
    #expect(desk["ride"]?.endedAt == nil && desk["ride"]?.reason == nil)
  }

  @Test(
    "a start of a dismissed id is a new generation, whatever if-exists says",
    arguments: [IfExists.error, .update, .replace])
  func restartOfDismissed(ifExists: IfExists) {
    desk.start()
    desk.cancel()
    let verdict = desk.start { $0.ifExists = ifExists }
    #expect(verdict.transitions.count == 1)
    #expect(verdict.transitions.first?.basis == 2)
    #expect(desk.landed.map(\.version) == [1, 2, 3])
    #expect(desk.landed.map(\.generation) == [1, 1, 3])
  }

  @Test("the watermark goes on over generations while a tombstone lives")
  func watermark() {
    desk.start { $0.timestamp = stamp(30) }
    desk.cancel()
    #expect(desk.start { $0.timestamp = stamp(29) }.code == .outOfOrder)
    #expect(desk.start().outcome == .applied)
    #expect(desk["ride"]?.watermark == at(30))
    #expect(desk.end { $0.timestamp = stamp(29) }.code == .outOfOrder)
  }

  @Test("after 24 h the tombstone goes, and version and watermark begin anew")
  func forgotten() {
    desk.start { $0.timestamp = stamp(30) }
    desk.cancel()
    #expect(desk.pass(to: hours(24) - 0.000_001).isEmpty)
    #expect(desk.pass(to: hours(24)) == [.forget(1)])
    #expect(desk["ride"] == nil)
    #expect(desk.update("ride", "1").code == .unknownActivity)
    #expect(desk.start { $0.timestamp = stamp(29) }.outcome == .applied)
    #expect(desk["ride"]?.version == 1)
  }
}
