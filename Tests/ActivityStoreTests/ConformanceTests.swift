import ActivityCore
import ActivityStore
import Testing

/// What every store must do with all that isn't a transition.
@Suite("Every store: watermarks, dismissals, outcomes, forgetting and reading")
struct ConformanceTests {
  @Test("a watermark is that of the newest generation", arguments: StoreUnderTest.Kind.allCases)
  func watermark(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    var old = sample()
    try test.commit(
      start(old), change(&old) { $0.state = .dismissed }, start(sample(version: 3)),
      start(sample("other")))
    let mark = Instant(microseconds: 1_900_000_000_000_001)
    let committed = try test.commit(.watermark(id: "ride", mark), .watermark(id: "unknown", mark))
    #expect(committed == Committed(seqBefore: 4, results: [.done, .done]))
    let stored = try test.activities()
    #expect(stored.map { $0.watermark == mark } == [false, true, false])
    // It takes no seq, and isn't a version.
    #expect(stored.map(\.seq) == [2, 3, 4])
    #expect(stored.map(\.version) == [2, 3, 1])
    // After the clock was set back it may be lower.
    try test.commit(.watermark(id: "ride", Instant(seconds: 1)))
    #expect(try test.activities()[1].watermark == Instant(seconds: 1))
  }

  @Test(
    "an outcome tells the activity as it is at that point of the batch",
    arguments: StoreUnderTest.Kind.allCases)
  func outcomeMidway(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    var activity = sample()
    activity.staleDate = Instant(seconds: 1_800_000_060)
    try test.commit(
      start(activity), .outcome(outcome("start", of: "ride")),
      change(&activity) {
        $0.state = .ended
        $0.dismissalDate = Instant(seconds: 1_800_003_600)
      },
      .outcome(outcome("end", of: "ride")),
      change(&activity) { $0.state = .dismissed }, start(sample(version: 4)),
      .outcome(outcome("again", of: "ride")))
    let kept = try test.outcomes()
    #expect(kept.map(\.key.key) == ["again", "end", "start"])
    #expect(kept.map(\.told.seq) == [4, 2, 1])
    #expect(kept.map(\.told.generation) == [4, 1, 1])
    #expect(kept.map(\.told.version) == [4, 2, 1])
    #expect(kept.map(\.told.state) == [.active, .ended, .active])
    #expect(kept.map { $0.told.staleDate != nil } == [false, false, true])
    #expect(kept.map { $0.told.dismissalDate != nil } == [false, true, false])
    try test.reopen()
    #expect(try test.outcomes() == kept)
  }

  @Test(
    "an outcome has the dates that are ahead in its state", arguments: StoreUnderTest.Kind.allCases,
    State.allCases)
  func outcomeDates(_ kind: StoreUnderTest.Kind, state: State) throws {
    let test = try StoreUnderTest(kind)
    var activity = sample()
    activity.state = state
    activity.staleDate = Instant(seconds: 1_800_000_060)
    activity.dismissalDate = Instant(seconds: 1_800_003_600)
    try test.commit(start(activity), .outcome(outcome("k", of: "ride")))
    var expected = outcome("k", of: "ride")
    expected.told = Told(try test.activities()[0])
    #expect(try test.outcomes() == [expected])
  }

  @Test(
    "an outcome of a device's own dismissal tells that, whatever became of the activity",
    arguments: StoreUnderTest.Kind.allCases)
  func outcomeOfDismissal(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    var activity = sample()
    var given = outcome("k", of: "ride")
    given.told = Told(dismissalOf: 1, id: "ride")
    let dismissal = DeviceDismissal(device: "phone", id: "ride", generation: 1)
    try test.commit(
      start(activity), change(&activity) { $0.state = .dismissed }, start(sample(version: 3)),
      .dismissal(dismissal), .outcome(given))
    var expected = given
    expected.told.seq = 4
    #expect(try test.outcomes() == [expected])
    try test.reopen()
    #expect(try test.outcomes() == [expected])
  }

  @Test("an outcome takes the place of one with its key", arguments: StoreUnderTest.Kind.allCases)
  func outcomeReplaced(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    var other = outcome("k", of: "ride")
    other.key.scope = "token:x"
    var second = outcome("k", of: "ride", expiresAt: 1_800_001_000)
    second.applied = false
    second.ignored = []
    second.request = Digest(value: 1 << 127)
    try test.commit(start(sample()), .outcome(outcome("k", of: "ride")), .outcome(other))
    try test.commit(.outcome(second))
    let kept = try test.outcomes()
    #expect(kept.map(\.key.scope) == ["token:x", "uid:1000"])
    #expect(kept[1].applied == false)
    #expect(kept[1].ignored == [])
    #expect(kept[1].request == second.request)
  }

  @Test(
    "outcomes that expire at or before the instant are removed",
    arguments: StoreUnderTest.Kind.allCases)
  func expireOutcomes(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    try test.commit(
      start(sample()), .outcome(outcome("a", of: "ride", expiresAt: 10)),
      .outcome(outcome("b", of: "ride", expiresAt: 11)),
      .outcome(outcome("c", of: "ride", expiresAt: 12)))
    #expect(try test.commit(.expireOutcomes(Instant(seconds: 11))).results == [.done])
    #expect(try test.outcomes().map(\.key.key) == ["c"])
  }

  @Test("a device dismisses a generation once", arguments: StoreUnderTest.Kind.allCases)
  func dismissals(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    let dismissal = DeviceDismissal(device: "phone", id: "ride", generation: 1)
    let tablet = DeviceDismissal(device: "tablet", id: "ride", generation: 1)
    try test.commit(start(sample()))
    #expect(
      try test.commit(.dismissal(dismissal), .dismissal(tablet), .dismissal(dismissal)).results
        == [.seq(2), .seq(3), .seq(4)])
    let kept = try test.items().filter { if case .dismissal = $0 { true } else { false } }
    #expect(
      kept == [
        .dismissal(DeviceDismissal(device: "tablet", id: "ride", generation: 1, seq: 3)),
        .dismissal(DeviceDismissal(device: "phone", id: "ride", generation: 1, seq: 4)),
      ])
  }

  @Test(
    "forgetting removes the tombstone and its dismissals, and raises the floor",
    arguments: StoreUnderTest.Kind.allCases)
  func forget(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    var first = sample("a")
    var second = sample("b")
    try test.commit(
      start(first), start(second),
      .dismissal(DeviceDismissal(device: "phone", id: "a", generation: 1)),
      .dismissal(DeviceDismissal(device: "phone", id: "b", generation: 2)),
      change(&second) { $0.state = .dismissed }, change(&first) { $0.state = .dismissed })
    // The floor is the highest seq forgotten, in whatever order.
    let committed = try test.commit(.forget(1), .forget(2), .forget(99))
    #expect(committed == Committed(seqBefore: 6, results: [.done, .done, .done]))
    #expect(try test.items().isEmpty)
    try test.reopen()
    #expect(test.store.identity.floor == 6)
    #expect(test.store.identity.lastSeq == 6)
    #expect(try test.commit(start(sample())).results == [.seq(7)])
  }

  @Test(
    "what is loaded is in order: generations, dismissals, outcomes",
    arguments: StoreUnderTest.Kind.allCases)
  func loadOrder(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    var first = sample("z")
    try test.commit(
      start(first), .outcome(outcome("k", of: "z")),
      .token(fullToken()), .dismissal(DeviceDismissal(device: "phone", id: "z", generation: 1)),
      start(sample("a")), change(&first))
    #expect(try test.activities().map(\.generation) == [1, 4])
    let kinds = try test.items().map { item in
      switch item {
      case .activity: "activity"
      case .dismissal: "dismissal"
      case .outcome: "outcome"
      case .token: "token"
      }
    }
    #expect(kinds == ["activity", "activity", "dismissal", "outcome", "token"])
  }

  @Test(
    "changes after a seq are in order of seq, outcomes last",
    arguments: StoreUnderTest.Kind.allCases)
  func changes(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    var first = sample("z")
    try test.commit(
      start(first), .outcome(outcome("old", of: "z")), start(sample("a")),
      .dismissal(DeviceDismissal(device: "phone", id: "a", generation: 2)), start(sample("b")),
      change(&first), .outcome(outcome("new", of: "z")))
    let seqs = try test.changes(after: 2).map { item in
      switch item {
      case .activity(let activity): ("activity", activity.seq)
      case .dismissal(let dismissal): ("dismissal", dismissal.seq)
      case .outcome(let outcome): (outcome.key.key.text, outcome.told.seq)
      case .token(let token): (token.name, Seq(0))
      }
    }
    #expect(seqs.map(\.0) == ["dismissal", "activity", "activity", "new"])
    #expect(seqs.map(\.1) == [3, 4, 5, 5])
    #expect(try test.changes(after: 5).isEmpty)
  }
}
