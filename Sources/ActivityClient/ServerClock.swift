internal import Glibc

/// The daemon's clock, as far as a client knows it: it is told with each greeting and each `ping`, so
/// that this machine's own needn't be right.
public struct ServerClock: Sendable {
  /// What a clock can show. Nothing that is computed of these is too large for a number.
  static let dates = 0.0...1e12

  private var told: Double
  private var at: ContinuousClock.Instant
  /// How many times as fast as real time it runs.
  public let scale: Double

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

  /// As the daemon has told it; what no clock shows is left out.
  ///
  /// - Parameter earliest: when it may have been said: it can have waited here to be read. A step
  ///   back that this explains is none.
  mutating func set(to now: Double, saidAfter earliest: ContinuousClock.Instant) {
    guard Self.dates.contains(now) else { return }
    let waited = max(.zero, earliest.duration(to: .now)) / .seconds(1) * scale
    guard !(0...waited).contains(self.now - now) else { return }
    (told, at) = (now, .now)
  }

  /// Seconds since 1970.
  public var now: Double { told + at.duration(to: .now) / .seconds(1) * scale }

  /// What it showed so long ago.
  func before(_ time: Duration) -> Double { now - time / .seconds(1) * scale }

  /// How long it really is until then.
  public func real(until date: Double) -> Duration { .seconds(clamping: (date - now) / scale) }
}
