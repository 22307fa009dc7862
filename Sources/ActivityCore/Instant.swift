/// A point in time on the activities' wall clock, in microseconds since 1970-01-01 00:00 UTC.
///
/// Under `--time-scale` this clock runs faster than the machine's; the core never reads a clock
/// and can't tell the difference.
package struct Instant: Hashable, Sendable {
  package var microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  package init(seconds: Int64) { self.microseconds = seconds * 1_000_000 }

  /// Later than any instant a request can name.
  package static let distantFuture = Instant(microseconds: .max)

  /// The last whole second at or before this instant.
  package var wholeSecond: Instant {
    let fraction = microseconds % 1_000_000
    return Instant(microseconds: microseconds - (fraction < 0 ? fraction + 1_000_000 : fraction))
  }
}

extension Instant: Comparable {
  package static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }

  package static func + (instant: Instant, span: TimeSpan) -> Instant {
    let (sum, overflow) = instant.microseconds.addingReportingOverflow(span.microseconds)
    return overflow ? .distantFuture : Instant(microseconds: sum)
  }

  package static func - (instant: Instant, span: TimeSpan) -> Instant {
    Instant(microseconds: instant.microseconds - span.microseconds)
  }

  package static func - (left: Instant, right: Instant) -> TimeSpan {
    TimeSpan(microseconds: left.microseconds - right.microseconds)
  }
}

/// A length of time in microseconds.
package struct TimeSpan: Hashable, Sendable, Comparable {
  package var microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  package static func seconds(_ count: Int64) -> TimeSpan {
    TimeSpan(microseconds: count * 1_000_000)
  }
  package static func minutes(_ count: Int64) -> TimeSpan { .seconds(count * 60) }
  package static func hours(_ count: Int64) -> TimeSpan { .seconds(count * 3_600) }

  package static func < (left: TimeSpan, right: TimeSpan) -> Bool {
    left.microseconds < right.microseconds
  }
}

/// When something is due: at an absolute instant, or some time after another one.
///
/// In the protocol every `x-date` has a twin `x-after`; only one of them may be given.
package enum Moment: Hashable, Sendable {
  case at(Instant)
  case after(TimeSpan)

  /// The absolute instant, counting an `after` from `origin`.
  package func resolved(from origin: Instant) -> Instant {
    switch self {
    case .at(let instant): instant
    case .after(let span): origin + span
    }
  }
}

/// A publisher's own clock reading, with which it orders its commands.
package struct Timestamp: Hashable, Sendable {
  package var instant: Instant
  /// It was given without a fraction, so it is compared in whole seconds.
  package var isWholeSecond: Bool

  package init(instant: Instant, isWholeSecond: Bool) {
    self.instant = instant
    self.isWholeSecond = isWholeSecond
  }

  /// Whether it lies strictly before `mark`, in its own resolution.
  package func isOlder(than mark: Instant) -> Bool {
    instant < (isWholeSecond ? mark.wholeSecond : mark)
  }
}
