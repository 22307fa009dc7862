internal import ActivityCore

/// Group commit: while one batch is on its way to disk, the next one gathers.
///
/// Everything decided belongs to the gathering batch; every answer leaves with the batch whose
/// state it was decided on. When a commit fails, its batch and what gathered behind it are dropped,
/// and writes are refused until a trial commit, made each second, succeeds.
struct CommitPipeline {
  enum Condition: Equatable {
    case healthy
    /// The last commit failed; a trial is made each second.
    case failing
    /// A trial succeeded, but the store knows more than we: it is being read again.
    case rereading
  }

  private(set) var condition = Condition.healthy
  private(set) var gathering = Batch(number: 1)
  private(set) var inFlight: Batch?

  var isHealthy: Bool { condition == .healthy }

  /// The batch of this number, if it isn't durable yet.
  func batch(number: Int) -> Batch? {
    if gathering.number == number { return gathering }
    return inFlight?.number == number ? inFlight : nil
  }

  /// Whether the gathering batch can go to the store now.
  var hasNext: Bool { isHealthy && inFlight == nil && !gathering.isEmpty }

  /// The gathering batch, if it can go to the store now; the next one gathers from here on.
  mutating func next() -> Batch? {
    guard hasNext else { return nil }
    let batch = gathering
    inFlight = batch
    gathering = batch.next()
    return batch
  }

  /// A batch that only tries whether the store works again.
  mutating func trial() -> Batch? {
    guard condition == .failing, inFlight == nil else { return nil }
    let batch = gathering
    batch.mutations = [.trial]
    inFlight = batch
    gathering = Batch(number: batch.number + 1)
    return batch
  }

  mutating func committed() -> Batch? {
    defer { inFlight = nil }
    return inFlight
  }

  /// The commit failed.
  ///
  /// - Returns: the batches that are dropped, the older first.
  mutating func failed() -> [Batch] {
    let dropped = [inFlight, gathering].compactMap { $0 }
    inFlight = nil
    gathering = Batch(number: gathering.number + 1)
    condition = .failing
    return dropped
  }

  mutating func reread() { condition = .rereading }

  mutating func recovered() { condition = .healthy }
}
