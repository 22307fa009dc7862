internal import ActivityCore

/// How often a device wants to be told of changes: at most so many updates an hour, and at most
/// one batch in each interval.
///
/// Nothing is lost by it: what may not go yet stays dirty, and goes later in its newest state.
/// Kept over reconnects, so that reconnecting doesn't buy updates. Times are monotonic
/// milliseconds.
struct Pace {
  /// Nil: as many as come.
  var updatesPerHour: Int64? { didSet { credit = min(credit, burst) } }
  /// 0: at any time.
  var intervalMilliseconds: Int64 = 0

  /// What may go at once: an update costs the milliseconds of an hour, and each millisecond brings
  /// the updates of an hour. Without meaning where as many may go as come.
  private var credit: Int64 = 0
  private static let updateCost: Int64 = 3_600_000
  private var refilledAt: Int64
  /// Nil: there was none yet.
  private var batchEndedAt: Int64?
  private var isBatchOpen = false
  /// Something waits for the interval alone.
  private var holdsOther = false

  init(updatesPerHour: Int64?, intervalMilliseconds: Int64, at now: Int64) {
    self.updatesPerHour = updatesPerHour
    self.intervalMilliseconds = intervalMilliseconds
    refilledAt = now
    credit = burst
  }

  var isUnlimited: Bool { updatesPerHour == nil && intervalMilliseconds == 0 }

  /// A twelfth of the hour's updates may come at once.
  private var burst: Int64 {
    updatesPerHour.map { max(Self.updateCost, $0 * (Self.updateCost / 12)) } ?? .max
  }

  /// Whether a line may go at `now`; if so, it is counted.
  ///
  /// Lines with an alert, ends and dismissals never wait.
  mutating func allows(_ event: Kind, at now: Int64) -> Bool {
    guard event != .urgent else { return true }
    // Asked first: what can't be afforded opens no batch.
    guard event == .other || affordsUpdate(at: now) else { return false }
    guard openBatch(at: now) else {
      if event == .other { holdsOther = true }
      return false
    }
    if event == .update, updatesPerHour != nil { credit -= Self.updateCost }
    return true
  }

  enum Kind {
    /// An end, a dismissal, or a line with an alert.
    case urgent
    /// Is counted.
    case update
    /// A start or `stale`: waits for the interval only.
    case other
  }

  /// Everything that could go has gone.
  mutating func endBatch(at now: Int64) {
    guard isBatchOpen else { return }
    isBatchOpen = false
    batchEndedAt = now
    holdsOther = false
  }

  /// Whether something that waits could go now.
  mutating func isReady(at now: Int64) -> Bool {
    mayOpenBatch(at: now) && (holdsOther || affordsUpdate(at: now))
  }

  /// Whether it is as good as new.
  mutating func isRefilled(at now: Int64) -> Bool {
    refill(at: now)
    return mayOpenBatch(at: now) && (updatesPerHour == nil || credit >= burst)
  }

  private func mayOpenBatch(at now: Int64) -> Bool {
    isBatchOpen || now >= batchEndedAt.map { $0 + intervalMilliseconds } ?? now
  }

  private mutating func openBatch(at now: Int64) -> Bool {
    guard mayOpenBatch(at: now) else { return false }
    isBatchOpen = intervalMilliseconds > 0
    return true
  }

  private mutating func affordsUpdate(at now: Int64) -> Bool {
    refill(at: now)
    return updatesPerHour == nil || credit >= Self.updateCost
  }

  private mutating func refill(at now: Int64) {
    credit = min(burst, credit + (now - refilledAt) * (updatesPerHour ?? 0))
    refilledAt = now
  }

  /// Updates that may go at once now.
  var updatesLeft: Int64? { updatesPerHour == nil ? nil : credit / Self.updateCost }
}
