import ActivityCore
import ActivityStore
import Testing

/// What every store must do: seqs, sealing, and what is loaded again.
@Suite("Every store: transitions")
struct TransitionConformanceTests {
  @Test(
    "seqs rise by one over transitions and dismissals only", arguments: StoreUnderTest.Kind.allCases
  )
  func seqs(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    #expect(test.store.identity.lastSeq == 0)
    let first = try test.commit(
      start(sample("a")), .watermark(id: "a", Instant(seconds: 1_800_000_001)),
      .outcome(outcome("k", of: "a")), .trial,
      .dismissal(DeviceDismissal(device: "phone", id: "a", generation: 0)), start(sample("b")))
    #expect(
      first
        == Committed(seqBefore: 0, results: [.seq(1), .done, .done, .done, .seq(2), .seq(3)]))
    #expect(try test.commit(.trial) == Committed(seqBefore: 3, results: [.done]))
    #expect(try test.commit(start(sample("c"))) == Committed(seqBefore: 3, results: [.seq(4)]))
    #expect(try test.commit() == Committed(seqBefore: 4, results: []))
    try test.reopen()
    #expect(test.store.identity.lastSeq == 4)
  }

  @Test("a start's seq is its generation", arguments: StoreUnderTest.Kind.allCases)
  func generation(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    var pending = sample("b")
    pending.state = .pending
    try test.commit(start(sample("a")), start(pending))
    let stored = try test.activities()
    #expect(stored.map(\.generation) == [1, 2])
    #expect(stored.map(\.seq) == [1, 2])
    #expect(stored.map(\.shownSeq) == [1, 0])
  }

  @Test("every field comes back as it was given", arguments: StoreUnderTest.Kind.allCases)
  func everyField(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    var expected = [fullSample(), sample("bare")]
    expected[1].contentState = JSONText(bytes: [])
    expected[1].attributesType = ""
    try test.commit(start(expected[0]), start(expected[1]))
    for (index, seq) in [(0, Seq(1)), (1, Seq(2))] {
      expected[index].generation = seq
      expected[index].seq = seq
      expected[index].shownSeq = seq
    }
    expected[0].alert?.seq = 1
    #expect(try test.activities() == expected)
    try test.reopen()
    #expect(try test.activities() == expected)
  }

  @Test(
    "an update replaces every field that isn't fixed at the start",
    arguments: StoreUnderTest.Kind.allCases)
  func everyFieldUpdated(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    var full = fullSample("ride")
    full.generation = 1
    var bare = sample("ride", version: full.version)
    bare.generation = 1
    var first = sample("ride")
    first.copyFixed(from: full)
    bare.copyFixed(from: full)
    try test.commit(start(first), change(&full))
    full.seq = 2
    full.shownSeq = 1
    #expect(try test.activities() == [full])
    try test.commit(change(&bare))
    bare.seq = 3
    bare.shownSeq = 1
    #expect(try test.activities() == [bare])
  }

  @Test(
    "changes of a generation opened in the same batch find it",
    arguments: StoreUnderTest.Kind.allCases)
  func chain(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    try test.commit(start(sample("other")))
    var activity = sample()
    activity.state = .pending
    try test.commit(
      start(activity), change(&activity) { $0.contentState = JSONText("2") },
      change(&activity, entersView: true) { $0.state = .active },
      change(&activity) { $0.state = .stale })
    let stored = try #require(try test.activities().last)
    #expect(stored.generation == 2)
    #expect(stored.shownSeq == 4)
    #expect(stored.seq == 5)
    #expect(stored.version == 4)
    #expect(stored.state == .stale)
    #expect(stored.contentState == JSONText("2"))
  }

  @Test("shown-seq is kept over batches", arguments: StoreUnderTest.Kind.allCases)
  func shownSeq(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    try test.commit(start(sample()))
    var activity = try test.activities()[0]
    try test.commit(change(&activity))
    // A staged activity doesn't know its shown-seq; the store does.
    activity.shownSeq = 0
    try test.commit(change(&activity))
    #expect(try test.activities()[0].shownSeq == 1)
  }

  @Test(
    "an alert keeps the seq of the change that brought it", arguments: StoreUnderTest.Kind.allCases)
  func alertSeq(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    var activity = sample()
    try test.commit(
      start(activity), change(&activity) { $0.alert = alert("1", version: $0.version) },
      change(&activity))
    #expect(try test.activities()[0].alert?.seq == 2)
    activity.generation = 1
    try test.commit(change(&activity), change(&activity))
    #expect(try test.activities()[0].alert?.seq == 2)
    try test.commit(change(&activity) { $0.alert = alert("2", version: $0.version) })
    #expect(try test.activities()[0].alert?.seq == 6)
    try test.commit(change(&activity) { $0.alert = nil })
    #expect(try test.activities()[0].alert == nil)
  }

  @Test(
    "an alert that waits for a pending start has no seq yet",
    arguments: StoreUnderTest.Kind.allCases)
  func waitingAlert(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    var old = sample()
    old.alert = alert("0", version: 1)
    try test.commit(start(old))
    old.generation = 1
    var activity = sample(version: 3)
    activity.state = .pending
    activity.alert = alert("1", version: 0)
    try test.commit(
      change(&old) { $0.state = .dismissed }, start(activity), change(&activity))
    #expect(try test.activities().map { $0.alert?.seq } == [1, 0])
    try test.commit(
      change(&activity, entersView: true) {
        let version = $0.version
        $0.generation = 3
        $0.state = .active
        $0.alert?.version = version
      })
    #expect(try test.activities()[1].alert?.seq == 5)
  }

  @Test(
    "a replaced generation stays as a tombstone before the new one",
    arguments: StoreUnderTest.Kind.allCases)
  func replace(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    var activity = sample()
    // All in one batch: the dismissal is of the generation opened before the second start.
    try test.commit(
      start(activity),
      change(&activity) {
        $0.state = .dismissed
        $0.reason = .replaced
        $0.contentState = JSONText(bytes: [])
      },
      start(sample(version: 3)))
    let stored = try test.activities()
    #expect(stored.map(\.generation) == [1, 3])
    #expect(stored.map(\.state) == [.dismissed, .active])
    #expect(stored.map(\.version) == [2, 3])
    #expect(stored.map(\.reason) == [.replaced, nil])
    #expect(stored[0].contentState.bytes.isEmpty)
  }

  @Test(
    "a batch with a change of an unknown generation does nothing",
    arguments: StoreUnderTest.Kind.allCases)
  func allOrNone(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    var unknown = sample("b")
    unknown.generation = 77
    let change = change(&unknown)
    let error = #expect(throws: StoreError.self) {
      try test.commit(start(sample("a")), .outcome(outcome("k", of: "a")), change)
    }
    #expect(error?.kind == .unusable)
    #expect(try test.items().isEmpty)
    #expect(try test.commit(.trial).seqBefore == 0)
  }
}

extension Activity {
  /// What an activity keeps from its start to its dismissal.
  fileprivate mutating func copyFixed(from other: Activity) {
    attributesType = other.attributesType
    attributes = other.attributes
    channels = other.channels
    startDigest = other.startDigest
  }
}
