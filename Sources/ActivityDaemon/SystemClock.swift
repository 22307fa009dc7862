package import ActivityCore
internal import Glibc

/// The machine's clocks; the wall clock runs `timeScale` times as fast from `origin` on.
package final class SystemClock: Clock {
  private let origin: Int64
  private let timeScale: Int64

  /// - Parameter origin: when scaling began, in microseconds since 1970; without meaning at scale 1.
  package init(origin: Instant, timeScale: Int) {
    self.origin = origin.microseconds
    self.timeScale = Int64(timeScale)
  }

  package func now() -> Instant {
    let real = Self.microseconds(CLOCK_REALTIME)
    return Instant(microseconds: timeScale == 1 ? real : origin + (real - origin) * timeScale)
  }

  /// When the machine's clock will show what the activities' clock shows at `instant`; rounded up.
  package func real(_ instant: Instant) -> Int64 {
    guard timeScale != 1 else { return instant.microseconds }
    let ahead = instant.microseconds - origin
    return origin + ahead / timeScale + (ahead % timeScale > 0 ? 1 : 0)
  }

  package func monotonicMicroseconds() -> Int64 { Self.microseconds(CLOCK_MONOTONIC) }

  package static func realNow() -> Instant {
    Instant(microseconds: microseconds(CLOCK_REALTIME))
  }

  private static func microseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
