import ActivityCore
import Testing

@Suite("Visible and staged")
struct CoordinatorTests {
  let desk = Desk()

  private var shown: [String] {
    var interest = Interest()
    interest.all = true
    return desk.coordinator.shown(in: interest).map(\.activity.id)
  }

  @Test("what is decided is seen by writers at once, by readers when it is durable")
  func stagedIsInvisible() {
    desk.holds = true
    #expect(desk.start().batch == 1)
    #expect(desk["ride"] == nil)
    #expect(shown.isEmpty)
    #expect(desk.start().outcome == .noop)
    #expect(desk.update("ride", "1") { $0.ifVersion = 1 }.outcome == .applied)
    desk.closeBatch()
    #expect(desk["ride"] == nil)
    desk.land()
    #expect(desk["ride"]?.contentState == json("1"))
    #expect(desk["ride"]?.version == 2)
    #expect(shown == ["ride"])
  }

  @Test("a chain within one batch lands in order, each change with its own seq")
  func chainInOneBatch() {
    desk.holds = true
    desk.start { $0.alert = json(#""a""#) }
    desk.update("ride", "1")
    desk.end("ride", "2")
    desk.start("ride", "3")
    desk.landAll()
    #expect(desk.landed.map(\.seq) == [1, 2, 3, 4, 5])
    #expect(desk.landed.map(\.generation) == [1, 1, 1, 1, 5])
    #expect(desk.landed.map(\.shownSeq) == [1, 1, 1, 1, 5])
    #expect(desk.landed.map(\.version) == [1, 2, 3, 4, 5])
    #expect(desk.landed.map(\.state) == [.active, .active, .ended, .dismissed, .active])
    #expect(desk.landed.map { $0.alert?.seq } == [1, 1, 1, 1, nil])
  }

  @Test("a chain over batches lands batch by batch; each answer leaves with its own")
  func chainOverBatches() {
    desk.holds = true
    #expect(desk.start().batch == 1)
    desk.closeBatch()
    #expect(desk.update("ride", "1").batch == 2)
    desk.closeBatch()
    #expect(desk.update("ride", "2").batch == 3)
    desk.land()
    #expect(desk["ride"]?.contentState == json("0"))
    #expect(desk.update("ride", "3") { $0.ifVersion = 3 }.outcome == .applied)
    desk.land()
    #expect(desk["ride"]?.contentState == json("1"))
    desk.landAll()
    #expect(desk["ride"]?.contentState == json("3"))
    #expect(desk.landed.map(\.generation) == [1, 1, 1, 1])
  }

  @Test("a refusal and a noop belong to the batch whose state they were decided on")
  func answersWait() {
    desk.holds = true
    desk.start { $0.timestamp = stamp(30) }
    desk.closeBatch()
    #expect(desk.update("ride", "1") { $0.ifVersion = 7 }.batch == 1)
    #expect(desk.update().batch == 1)
    desk.land()
    #expect(desk.update("ride", "1") { $0.ifVersion = 7 }.batch == nil)
    #expect(desk.update().batch == nil)
    #expect(desk.update("other", "1").batch == nil)
  }

  @Test("dropping what is staged restores contents, counts and deadlines")
  func dropRestores() throws {
    desk.start("kept") { $0.stale = .at(at(300)) }
    desk.start("ended")
    desk.end("ended") { $0.dismissal = .when(.at(at(500))) }
    desk.start("gone")
    desk.cancel("gone")
    let before = try ["kept", "ended", "gone"].map { try #require(desk[$0]) }

    desk.holds = true
    desk.update("kept", "1") { $0.stale = .at(at(100)) }
    desk.cancel("ended")
    desk.start("gone", "new")
    desk.start("new")
    desk.closeBatch()
    desk.cancel("kept")
    #expect(desk.coordinator.activityCount == 2)
    desk.fail()

    #expect(["kept", "ended", "gone"].map { desk[$0] } == before)
    #expect(desk.coordinator.activityCount == 2)
    #expect(desk.coordinator.nextDeadline == at(300))
    desk.holds = false
    #expect(desk.update("new", "1").code == .unknownActivity)
    #expect(desk.update("kept", "1") { $0.ifVersion = 1 }.outcome == .applied)
    #expect(desk.coordinator.nextDeadline == at(500))
  }

  @Test("deadlines whose change could not be stored are due again, with their true due times")
  func dropRestoresDueDeadlines() {
    desk.start { $0.stale = .at(at(300)) }
    desk.holds = true
    #expect(desk.pass(to: 310).count == 1)
    #expect(desk.pass(to: 311).isEmpty)
    desk.fail()
    #expect(desk.coordinator.nextDeadline == at(300))
    let again = desk.pass(to: 400)
    #expect(again.compactMap(\.transition?.activity.dueAt) == [at(300)])
    desk.landAll()
    #expect(desk["ride"]?.version == 2)
  }

  @Test("a removal that could not be stored is due again")
  func dropRestoresForgetting() {
    desk.start()
    desk.cancel()
    desk.holds = true
    #expect(desk.pass(to: hours(24)) == [.forget(1)])
    #expect(desk.pass(to: hours(24)).isEmpty)
    desk.fail()
    // At once, though the clock be set back meanwhile: the store may have removed it already.
    #expect(desk.pass(to: hours(23)) == [.forget(1)])
  }

  @Test("a tombstone that goes while a restart is staged takes only itself")
  func forgetUnderARestart() {
    desk.start()
    desk.cancel()
    desk.holds = true
    desk.pass(to: hours(24))
    desk.closeBatch()
    #expect(desk.start("ride", "new").outcome == .applied)
    desk.land()
    #expect(desk["ride"] == nil)
    desk.landAll()
    #expect(desk["ride"]?.contentState == json("new"))
    #expect(desk["ride"]?.generation == 3)
    #expect(desk.coordinator.row(generation: 1) == nil)
  }

  @Test("a tombstone that goes while its watermark is on its way leaves nothing")
  func forgetUnderAWatermark() {
    desk.start()
    desk.cancel()
    desk.holds = true
    desk.pass(to: hours(24))
    desk.cancel()
    desk.landAll()
    #expect(desk["ride"] == nil)
    #expect(desk.update("ride", "1").code == .unknownActivity)
    #expect(desk.coordinator.activityCount == 0)
    #expect(desk.coordinator.nextDeadline == nil)
  }

  @Test("a tombstone that goes between two changes of its id doesn't take the id with it")
  func forgetWithinAChain() {
    desk.start()
    desk.cancel()
    desk.holds = true
    desk.now = at(hours(24) - 1)
    #expect(desk.cancel().mutations == [.watermark(id: "ride", desk.now)])
    #expect(desk.pass(to: hours(24)) == [.forget(1)])
    desk.start("ride", "new") { $0.stale = .after(.seconds(10)) }
    desk.landAll()
    desk.holds = false
    #expect(desk["ride"]?.contentState == json("new"))
    #expect(desk.coordinator.nextDeadline == at(hours(24) + 10))
    desk.pass(to: hours(24) + 10)
    #expect(desk["ride"]?.state == .stale)
  }

  @Test("time passes in portions; what is left stays due")
  func portions() {
    for index in 0..<10 { desk.start("r\(index)") { $0.stale = .at(at(Double(index))) } }
    desk.now = at(300)
    let first = desk.coordinator.advance(to: desk.now, limit: 4)
    #expect(first.count == 4)
    desk.gather(first)
    #expect(desk.coordinator.nextDeadline.map { $0 <= desk.now } ?? false)
    let rest = desk.coordinator.advance(to: desk.now, limit: .max)
    desk.gather(rest)
    #expect(first.count + rest.count == 9)
    let due = desk.landed.compactMap(\.dueAt)
    #expect(due == due.sorted())
  }
}
