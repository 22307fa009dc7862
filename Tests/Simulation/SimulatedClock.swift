import ActivityCore
import ActivityDaemon

/// A monotonic clock, and a wall clock that runs at another speed and can be set.
final class SimulatedClock: Clock {
  /// In microseconds.
  private(set) var monotonic: Int64 = 0
  private var wall = Instant(seconds: 1_800_000_000)
  /// By how many millionths the wall clock is too fast.
  var drift: Int64 = 0

  func now() -> Instant { wall }
  func monotonicMicroseconds() -> Int64 { monotonic }

  func pass(microseconds: Int64) {
    monotonic += microseconds
    wall = wall + TimeSpan(microseconds: microseconds + microseconds * drift / 1_000_000)
  }

  /// Sets the wall clock, or lets the machine sleep.
  func step(seconds: Int64) { wall = wall + .seconds(seconds) }
}
