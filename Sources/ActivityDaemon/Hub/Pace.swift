internal import ActivityCore

/// How often a device wants to be told of changes: at most so many updates an hour, and at most
/// one batch in each interval.
///
/// Nothing is lost by it: what may not go yet stays dirty, and goes later in its newest state.
/// Kept over reconnects, so that reconnecting doesn't buy updates. Times are monotonic
/// milliseconds.
struct Pace {
  /// Nil: as many as come.
  var updatesPerHour: Int64? { didSet { tokens = min(tokens, burst) } }
  /// 0: at any time.
  var intervalMilliseconds: Int64 = 0

  private var tokens: Double
  private var refilledAt: Int64
  private var nextBatchAt: Int64 = 0
  private var isBatchOpen = false

  init(updatesPerHour: Int64?, intervalMilliseconds: Int64, at now: Int64) {
    self.updatesPerHour = updatesPerHour
    self.intervalMilliseconds = intervalMilliseconds
    tokens = 0
    refilledAt = now
    tokens = burst
  }

  var isUnlimited: Bool { updatesPerHour == nil && intervalMilliseconds == 0 }

  /// A twelfth of the hour's updates may come at once.
  private var burst: Double { updatesPerHour.map { max(1, Double($0) / 12) } ?? .infinity }

  /// Whether a line may go at `now`; if so, it is counted.
  ///
  /// Lines with an alert, ends and dismissals never wait.
  mutating func allows(_ event: Kind, at now: Int64) -> Bool {
    guard event != .urgent else { return true }
    guard openBatch(at: now) else { return false }
    return event == .update ? takeToken(at: now) : true
  }

  enum Kind {
    /// An end, a dismissal, or a line with an alert.
    case urgent
    /// Costs a token.
    case update
    /// A start or `stale`: waits for the interval only.
    case other
  }

  /// Everything that could go has gone.
  mutating func endBatch(at now: Int64) {
    guard isBatchOpen else { return }
    isBatchOpen = false
    nextBatchAt = now + intervalMilliseconds
  }

  /// Whether something that waits could go now.
  mutating func isReady(at now: Int64) -> Bool {
    refill(at: now)
    return now >= nextBatchAt && tokens >= 1
  }

  /// Whether it is as good as new.
  mutating func isRefilled(at now: Int64) -> Bool {
    refill(at: now)
    return now >= nextBatchAt && tokens >= burst
  }

  private mutating func openBatch(at now: Int64) -> Bool {
    guard intervalMilliseconds > 0, !isBatchOpen else { return true }
    guard now >= nextBatchAt else { return false }
    isBatchOpen = true
    return true
  }

  private mutating func takeToken(at now: Int64) -> Bool {
    guard updatesPerHour != nil else { return true }
    refill(at: now)
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }

  private mutating func refill(at now: Int64) {
    guard let updatesPerHour else {
      tokens = .infinity
      return
    }
    if tokens.isInfinite { tokens = burst }
    tokens = min(burst, tokens + Double(now - refilledAt) * Double(updatesPerHour) / 3_600_000)
    refilledAt = now
  }

  /// Updates that may go at once now.
  var tokensLeft: Int? { updatesPerHour == nil ? nil : Int(tokens) }
}
