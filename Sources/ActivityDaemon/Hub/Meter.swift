internal import ActivityCore

/// Lets so many things happen a second, and as many at once where none happened for a second.
///
/// Each takes its share of a second; what is taken ahead of time may be a second at most.
struct Meter {
  private static let second: Int64 = 1_000_000
  /// Up to when all that has happened is paid for, in monotonic microseconds.
  private var paidUntil: Int64 = 0

  /// Counts one thing more, unless it comes too soon.
  ///
  /// - Parameters:
  ///   - perSecond: 1 to 1,000,000.
  ///   - now: monotonic microseconds.
  /// - Returns: how long it would have to wait; nil if it was counted.
  mutating func wait(perSecond: Int, at now: Int64) -> TimeSpan? {
    let due = max(paidUntil, now) + Self.second / Int64(perSecond)
    guard due <= now + Self.second else {
      return TimeSpan(microseconds: due - now - Self.second)
    }
    paidUntil = due
    return nil
  }

  /// Counts what has happened in any case; answers how long the next one has to wait.
  mutating func charge(perSecond: Int, at now: Int64) -> TimeSpan {
    paidUntil = max(paidUntil, now) + Self.second / Int64(perSecond)
    return TimeSpan(microseconds: max(0, paidUntil - now - Self.second))
  }
}
