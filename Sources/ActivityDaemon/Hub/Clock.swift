package import ActivityCore

/// The two clocks the daemon reads.
package protocol Clock: AnyObject {
  /// The activities' wall clock, scaled by `--time-scale`.
  func now() -> Instant

  /// Milliseconds that never go back and aren't scaled; for windows and timeouts.
  func monotonicMilliseconds() -> Int64
}
