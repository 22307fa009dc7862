extension Activity {
  /// Far beyond every clock, and yet so small that sums and differences are numbers still.
  private static let microsecondsMax: Int64 = 1 << 62

  /// What keeps it from being one that the rules have made, for a store that reads it back; nil if
  /// nothing does.
  ///
  /// The rules rely on what is looked at here: what its state needs is there, and to calculate with
  /// its numbers is safe.
  package var flaw: StaticString? {
    guard 1...Int64.jsonMax ~= generation, generation...Int64.jsonMax ~= seq,
      0...seq ~= shownSeq, 1...Int64.jsonMax ~= version
    else { return "its numbers can't have been given" }
    guard clocksShowInstants, 0...Self.microsecondsMax ~= lifetime.microseconds
    else { return "it has an instant that no clock shows" }
    guard relevanceScore.isFinite, 0...Int64.jsonMax ~= source?.priority ?? 0 else {
      return "its relevance or priority can't have been given"
    }
    switch state {
    case .pending, .active, .stale: return nil
    case .ended: return endedAt == nil || dismissalDate == nil ? "it ended at no time" : nil
    case .dismissed: return dismissedAt == nil ? "it was dismissed at no time" : nil
    }
  }

  private var clocksShowInstants: Bool {
    clockShows(watermark) && clockShows(startTimestamp) && clockShows(startDate)
      && clockShows(staleDate) && clockShows(endedAt) && clockShows(dismissalDate)
      && clockShows(dismissedAt) && clockShows(dueAt) && clockShows(alert?.at)
  }

  private func clockShows(_ instant: Instant?) -> Bool {
    guard let instant else { return true }
    return -Self.microsecondsMax...Self.microsecondsMax ~= instant.microseconds
  }
}
