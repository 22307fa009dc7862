internal import Glibc

/// The daemon's clock, as far as a client knows it: it is told with each greeting.
public struct ServerClock: Sendable {
  private let told: Double
  private let at: ContinuousClock.Instant
  private let scale: Double

  /// Before any greeting: this machine's own clock.
  public init() {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    self.init(now: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9, scale: 1)
  }

  /// As a greeting that has just come tells it.
  public init(_ welcome: Welcome) { self.init(now: welcome.now, scale: welcome.timeScale) }

  private init(now: Double, scale: Double) {
    told = now
    at = .now
    self.scale = scale
  }

  /// Seconds since 1970.
  public var now: Double { told + at.duration(to: .now) / .seconds(1) * scale }

  /// What it showed so long ago.
  func before(_ time: Duration) -> Double { now - time / .seconds(1) * scale }

  /// How long it really is until then.
  public func real(until date: Double) -> Duration { .seconds(max(0, (date - now) / scale)) }
}
