package import ActivityCore

/// The two clocks the daemon reads.
package protocol Clock: AnyObject {
  /// The activities' wall clock, scaled by `--time-scale`.
  func now() -> Instant

  /// Microseconds that never go back and aren't scaled.
  func monotonicMicroseconds() -> Int64
}

extension Clock {
  /// For windows and timeouts.
  package func monotonicMilliseconds() -> Int64 { monotonicMicroseconds() / 1_000 }
}
