import ActivityCore
import ActivityStore
import Testing

/// Random batches, against which the two stores must agree. `seed` makes them again.
struct RandomBatches {
  private var state: UInt64
  /// What the stores should hold, as far as the next batch has to know.
  private var newest: [Activity] = []
  private var seq: Seq = 0

  init(seed: UInt64) { state = seed }

  private mutating func below(_ bound: UInt64) -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) % bound
  }

  mutating func next() -> [Mutation] {
    let first = seq
    let batch = (0...below(12)).map { _ in mutation(batchBegan: first) }
    return batch
  }

  private mutating func mutation(batchBegan first: Seq) -> Mutation {
    let index = newest.isEmpty ? nil : Int(below(UInt64(newest.count)))
    switch (below(12), index) {
    case (0...1, _), (_, nil): return start()
    case (2, let index?):
      return .watermark(id: newest[index].id, Instant(seconds: Int64(below(100))))
    case (3, let index?): return .outcome(outcome("\(below(20))", of: newest[index].id))
    case (4, let index?):
      seq += 1
      let activity = newest[index]
      return .dismissal(
        DeviceDismissal(
          device: "\(below(3))", id: activity.id,
          generation: activity.generation > first ? 0 : activity.generation))
    case (5, _): return .expireOutcomes(Instant(seconds: 1_800_000_000 + Int64(below(900))))
    case (6, let index?) where newest[index].generation <= first:
      return .forget(newest.remove(at: index).generation)
    case (_, let index?): return update(index, batchBegan: first)
    }
  }

  private mutating func start() -> Mutation {
    seq += 1
    var activity = sample("\(below(8))", version: Int64(below(50)) + 1)
    activity.state = below(2) == 0 ? .pending : .active
    if below(3) == 0 {
      activity.alert = alert("0", version: activity.state == .pending ? 0 : activity.version)
    }
    let mutation = ActivityStoreTests.start(activity)
    activity.generation = seq
    newest.removeAll { $0.id == activity.id }
    newest.append(activity)
    return mutation
  }

  private mutating func update(_ index: Int, batchBegan first: Seq) -> Mutation {
    seq += 1
    var activity = newest[index]
    let generation = activity.generation
    let choice = below(6)
    let entersView = activity.state == .pending && choice < 2
    if generation > first { activity.generation = 0 }
    let mutation = change(&activity, entersView: entersView) { activity in
      if entersView { activity.state = .active }
      if choice == 3 { activity.alert = alert("1", version: activity.version) }
      if choice == 4 { activity.alert = nil }
      let version = activity.version
      if entersView { activity.alert?.version = version }
    }
    activity.generation = generation
    newest[index] = activity
    return mutation
  }
}

@Suite("Both stores")
struct AgreementTests {
  @Test(
    "hold the same after the same random batches", arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func agreement(seed: UInt64) throws {
    let sqlite = try StoreUnderTest(.sqlite)
    let memory = try StoreUnderTest(.memory)
    var batches = RandomBatches(seed: seed)
    var seqs: [Seq] = [0]
    for step in 0..<40 {
      let batch = batches.next()
      let committed = try memory.store.commit(batch)
      #expect(try sqlite.store.commit(batch) == committed, "seed \(seed), step \(step)")
      let items = try memory.items()
      try #require(try sqlite.items() == items, "seed \(seed), step \(step)")
      let since = seqs[step / 2]
      #expect(try sqlite.changes(after: since) == memory.changes(after: since))
      seqs.append(committed.seqBefore)
    }
    try sqlite.reopen()
    try memory.reopen()
    #expect(try sqlite.items() == memory.items())
    #expect(sqlite.store.identity.lastSeq == memory.store.identity.lastSeq)
    #expect(sqlite.store.identity.floor == memory.store.identity.floor)
  }
}

@Suite("A memory store made to fail")
struct MemoryStoreTests {
  @Test("loses the next commit, and only that")
  func nextCommit() throws {
    let store = MemoryStore()
    store.fault = .nextCommit
    let error = #expect(throws: StoreError.self) { try store.commit([start(sample())]) }
    #expect(error?.kind == .unavailable)
    #expect(try items(of: store).isEmpty)
    #expect(try store.commit([start(sample())]).results == [.seq(1)])
  }

  @Test("lands the next commit, but says that it failed")
  func nextCommitAfterLanding() throws {
    let store = MemoryStore()
    store.fault = .nextCommitAfterLanding
    #expect(throws: StoreError.self) { try store.commit([start(sample())]) }
    #expect(try store.commit([.trial]).seqBefore == 1)
    #expect(try items(of: store).count == 1)
  }

  @Test("loses every commit until told otherwise")
  func everyCommit() throws {
    let store = MemoryStore()
    store.fault = .everyCommit
    for _ in 0..<3 { #expect(throws: StoreError.self) { try store.commit([.trial]) } }
    store.fault = .none
    #expect(try store.commit([.trial]).seqBefore == 0)
  }
}
