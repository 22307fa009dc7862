import ActivityCore
import ActivityDaemon
import ActivityStore

/// The way to the store: the simulation says when a commit ends, and how.
final class SimulatedCommitter: Committer {
  private enum Job {
    case commit([Mutation], decided: ClosedRange<Instant>)
    case reload(after: Seq)
  }

  /// How a commit ends.
  enum Fate: Equatable {
    case success
    /// It failed, and nothing of it is on disk.
    case lost
    /// It is on disk, but was reported as failed.
    case landedUnnoticed
    /// The power went off before anything was reported.
    case cut(landed: Bool)
  }

  private(set) var store: MemoryStore
  private var job: Job?
  private unowned let clock: SimulatedClock
  /// All readings of the wall clock since the last batch was submitted.
  private var readings: ClosedRange<Instant>
  /// The highest since the one under way began to be decided.
  private var highestReading: Instant
  var onLanding: (Landing) -> Void = { _ in }
  /// Stands for a disk that lies: what it acknowledged last is gone when it is opened again.
  var losesTheLastCommit = false
  /// What is written in place of a mutation.
  var alter: (Mutation) -> Mutation = { $0 }
  private var beforeLast: MemoryStore?

  init(store: MemoryStore, clock: SimulatedClock) {
    self.store = store
    self.clock = clock
    readings = clock.now()...clock.now()
    highestReading = clock.now()
  }

  var isBusy: Bool { job != nil }

  func clockWasRead() {
    let now = clock.now()
    readings = min(readings.lowerBound, now)...max(readings.upperBound, now)
    highestReading = max(highestReading, now)
  }

  func commit(_ mutations: [Mutation]) {
    precondition(job == nil, "one thing at a time")
    clockWasRead()
    job = .commit(mutations, decided: readings)
    highestReading = readings.upperBound
    readings = clock.now()...clock.now()
  }

  func reload(after seq: Seq) {
    precondition(job == nil, "one thing at a time")
    job = .reload(after: seq)
  }

  /// Ends what is under way.
  func finish(_ fate: Fate, for hub: Hub) {
    guard let job else { return }
    self.job = nil
    switch (job, fate) {
    case (.commit(let mutations, let decided), .success):
      hub.committed(land(mutations, decided))
    case (.commit(let mutations, let decided), .landedUnnoticed):
      _ = land(mutations, decided)
      hub.committed(.failure(Self.failure))
    case (.commit(let mutations, let decided), .cut(landed: true)): _ = land(mutations, decided)
    case (.commit, .lost): hub.committed(.failure(Self.failure))
    case (.reload(let seq), .success), (.reload(let seq), .landedUnnoticed):
      var items: [StoredItem] = []
      store.changes(after: seq) { items.append($0) }
      hub.reloaded(.success(items))
    case (.reload, .lost): hub.reloaded(.failure(Self.failure))
    case (_, .cut): break
    }
  }

  private static let failure = StoreError(.unavailable, "the commit was made to fail")

  private func land(
    _ mutations: [Mutation], _ decided: ClosedRange<Instant>
  ) -> Result<Committed, StoreError> {
    if losesTheLastCommit { beforeLast = store.reopened() }
    do throws(StoreError) {
      let committed = try store.commit(mutations.map(alter))
      onLanding(
        Landing(
          mutations: mutations, seqBefore: committed.seqBefore, decided: decided,
          highestReading: highestReading))
      return .success(committed)
    } catch {
      return .failure(error)
    }
  }

  /// After the power is back.
  func reopen() {
    store = losesTheLastCommit ? beforeLast ?? store.reopened() : store.reopened()
    readings = clock.now()...clock.now()
  }
}
