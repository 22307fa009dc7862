extension Duration {
  /// The longest that anything is waited for: as good as for ever, and far from what a clock can't
  /// add up.
  package static let longest: Duration = .seconds(1_000_000_000)

  /// So many seconds, as somebody else says: none if it is less, and at most `longest`.
  package static func seconds(clamping seconds: Double) -> Duration {
    // What is no number is less than none, too.
    guard seconds > 0 else { return .zero }
    return seconds < longest / .seconds(1) ? .seconds(seconds) : longest
  }

  /// In milliseconds for `poll`: rounded up, so that what is waited for is due afterwards, and at
  /// most eleven days.
  package var milliseconds: Int32 {
    Int32(min(max(0, (self / .milliseconds(1)).rounded(.up)), 1_000_000_000))
  }
}
