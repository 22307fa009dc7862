/// How long to wait before the next attempt: ever longer, and never the same for two clients that
/// lost the daemon at the same moment.
public struct Backoff: Hashable, Sendable {
  /// What the first wait is at most.
  public let shortest: Duration
  /// What every wait is at most.
  public let longest: Duration
  private var ceiling: Duration

  /// Waits between `shortest` and `longest`.
  public init(shortest: Duration = .milliseconds(500), longest: Duration = .seconds(30)) {
    precondition(.zero < shortest && shortest <= longest, "a wait has a length")
    self.shortest = shortest
    self.longest = longest
    ceiling = shortest
  }

  /// The next wait: by chance between half of a ceiling and all of it; the ceiling doubles each
  /// time, up to `longest`.
  public mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
    let wait = ceiling * Double.random(in: 0.5...1, using: &generator)
    ceiling = min(ceiling * 2, longest)
    return wait
  }

  /// The next wait, with the system's randomness.
  public mutating func next() -> Duration {
    var generator = SystemRandomNumberGenerator()
    return next(using: &generator)
  }

  /// The next wait after this failure. It comes on top of what the daemon asks for: not all clients
  /// are told different times, and none keeps its own to the millisecond.
  public mutating func next(after failure: ClientError) -> Duration {
    (failure.retryAfter ?? .zero) + next()
  }

  /// Begins anew, after an attempt whose success has lasted.
  public mutating func reset() { ceiling = shortest }
}
