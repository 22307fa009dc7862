internal import ActivityClient

/// What happens to one activity, as its backend tells it.
struct Story {
  /// A write, and how long after the one before it comes.
  struct Step {
    /// In seconds of the story, which may be told faster than it happens.
    var pause: Double
    let operation: String
    let keys: (Moment) -> JSONObject
  }

  /// The `attributes-type`.
  let type: String
  private(set) var steps: [Step] = []

  init(_ type: String) { self.type = type }

  /// Adds what comes next.
  mutating func then(
    after pause: Double, _ operation: String,
    _ keys: @escaping (Moment) -> JSONObject = { _ in [:] }
  ) {
    steps.append(Step(pause: pause, operation: operation, keys: keys))
  }

  /// Makes the backend fall silent before one of its later steps, so long that its news is overdue.
  mutating func fallSilent(for seconds: Double, using generator: inout SeededGenerator) {
    guard steps.count > 2 else { return }
    steps[Int.random(in: 2..<steps.count, using: &generator)].pause += seconds
  }
}

/// When a step is told: what the daemon's clock shows, and how fast the story goes by it.
struct Moment {
  /// In seconds since 1970.
  let now: Double
  /// How many seconds of the daemon's clock a second of the story takes.
  let scale: Double

  /// So many seconds of the story, as a key that ends in `-after` wants them.
  func seconds(_ seconds: Double) -> JSONValue {
    JSONValue((seconds * scale * 1_000).rounded() / 1_000)
  }

  /// The whole second so far ahead.
  func date(in seconds: Double = 0) -> JSONValue {
    JSONValue((now + seconds * scale).rounded())
  }

  /// From now until then, as Swift encodes a range of dates.
  func range(of seconds: Double) -> JSONValue { [date(), date(in: seconds)] }
}
