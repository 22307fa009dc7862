import ActivityCore
import Testing

@Suite("Restoring")
struct RestoringTests {
  /// A desk with something in every state, and what a store would hold of it.
  private func stored() throws -> (desk: Desk, activities: [Activity]) {
    let desk = Desk()
    desk.start("pending") { $0.start = .at(at(600)) }
    desk.start("active") { $0.channels = ["c"] }
    desk.start("stale") { $0.stale = .at(at(1)) }
    desk.start("ended")
    desk.start("gone")
    desk.start("again")
    desk.pass(to: 2)
    desk.end("ended")
    desk.cancel("gone")
    desk.start("again", "1") { $0.ifExists = .replace }
    let generations = Set(desk.landed.map(\.generation)).sorted()
    let activities = try generations.map {
      try #require(desk.coordinator.row(generation: $0)).activity
    }
    return (desk, activities)
  }

  private func restored(_ activities: [Activity]) -> Coordinator {
    let coordinator = Coordinator(limits: Limits())
    for activity in activities { coordinator.restore(activity) }
    coordinator.finishRestoring()
    return coordinator
  }

  @Test("what was stored is there again: rows, counts, deadlines and indexes")
  func restores() throws {
    let (desk, activities) = try stored()
    let coordinator = restored(activities)
    for id in ["pending", "active", "stale", "ended", "gone", "again"] {
      #expect(coordinator.row(of: id)?.activity == desk[id])
    }
    let dismissed = ListFilter(channels: nil, types: nil, states: [.dismissed])
    let older = try #require(coordinator.row(of: "again", in: dismissed)).activity
    #expect(older == desk.coordinator.row(of: "again", in: dismissed)?.activity)
    #expect(coordinator.activityCount == desk.coordinator.activityCount)
    #expect(coordinator.nextDeadline == desk.coordinator.nextDeadline)
    var interest = Interest()
    interest.channels = ["c"]
    #expect(coordinator.shown(in: interest).map(\.activity.id) == ["active"])
    interest.all = true
    for seq in 0...desk.seq {
      #expect(
        coordinator.dismissed(in: interest, after: seq).map(\.activity)
          == desk.coordinator.dismissed(in: interest, after: seq).map(\.activity))
    }
  }

  @Test("after a restart time makes the same changes due")
  func deadlines() throws {
    let (desk, activities) = try stored()
    let coordinator = restored(activities)
    func states(_ mutations: [Mutation]) -> [String: [Activity]] {
      let activities = mutations.compactMap { $0.transition?.activity }
      return Dictionary(grouping: activities, by: \.id)
    }
    let now = at(hours(9))
    let due = states(coordinator.advance(to: now, limit: .max))
    #expect(due == states(desk.coordinator.advance(to: now, limit: .max)))
    #expect(due["pending"]?.map(\.state) == [.active, .ended])
  }

  @Test("a batch that landed after all is taken in, as the store holds it")
  func landedAfterAll() throws {
    let desk = Desk()
    desk.start("a")
    desk.holds = true
    desk.update("a", "1")
    desk.start("b")
    desk.fail()
    #expect(desk.coordinator.activityCount == 1)

    var a = try #require(desk["a"])
    a.version = 2
    a.seq = 2
    a.contentState = json("1")
    desk.coordinator.restore(a)
    var b = Activity(
      id: "b", attributesType: "Ride", contentState: json("0"), watermark: at(0),
      startDate: at(0), lifetime: .hours(1))
    (b.generation, b.version, b.seq, b.shownSeq) = (3, 1, 3, 3)
    desk.coordinator.restore(b)

    #expect(desk["a"] == a && desk["b"] == b)
    #expect(desk.coordinator.activityCount == 2)
    #expect(desk.coordinator.nextDeadline == at(hours(1)))
    #expect(desk.update("a", "2") { $0.ifVersion = 2 }.outcome == .applied)
  }

  @Test("a dismissal that landed after all leaves the indexes and the count")
  func dismissalLandedAfterAll() throws {
    let desk = Desk()
    desk.start { $0.channels = ["c"] }
    var tombstone = try #require(desk["ride"])
    (tombstone.state, tombstone.version, tombstone.seq) = (.dismissed, 2, 2)
    tombstone.dismissedAt = at(0)
    desk.coordinator.restore(tombstone)
    var interest = Interest()
    interest.channels = ["c"]
    #expect(desk.coordinator.shown(in: interest).isEmpty)
    #expect(desk.coordinator.dismissed(in: interest, after: 1).count == 1)
    #expect(desk.coordinator.activityCount == 0)
    #expect(desk.pass(to: hours(24)) == [.forget(1)])
  }
}
