import ActivityCore
import TestSupport

/// Requests with the same key and bytes change the state once and get the same outcome, as long as
/// the key is kept.
struct ExactlyOnceIdempotency: Guarantee {
  static let name = "exactly-once-idempotency"

  private static let kept = TimeSpan.minutes(10)

  private struct Attempted {
    /// The lowest reading of the clock since it was first asked, until it was answered.
    var lowest: Instant
    /// The highest since.
    var highest: Instant
    var outcome: String?

    mutating func pass(to now: Instant) {
      highest = max(highest, now)
      if outcome == nil { lowest = min(lowest, now) }
    }
  }

  private struct Brought {
    var keptUntil: Instant
    /// The highest reading of the clock since.
    var highest: Instant

    var isPromised: Bool { highest <= keptUntil }
  }

  private var attempts: [String: Attempted] = [:]
  /// Keys that have expired once: of what is asked with them now, who knows which was first?
  private var retired: Set<String> = []
  /// By content: each request has one of its own.
  private var brought: [[UInt8]: Brought] = [:]

  init() {}

  mutating func observe(_ observation: Observation, _ model: Model) throws {
    switch observation {
    case .time(let now): pass(to: now)
    case .asked(_, let request):
      guard let key = request.idempotencyKey, attempts[key] == nil, !retired.contains(key)
      else { return }
      attempts[key] = Attempted(lowest: model.now, highest: model.now)
    case .told(_, let line, _):
      guard line.operation != nil, let key = model.request(line)?.idempotencyKey else { return }
      try compare(line, key)
    case .landed(let landing): for change in model.landed { try check(change, landing) }
    default: break
    }
  }

  private mutating func pass(to now: Instant) {
    for index in attempts.values.indices { attempts.values[index].pass(to: now) }
    for index in brought.values.indices {
      brought.values[index].highest = max(brought.values[index].highest, now)
    }
    // Nothing is promised of these any more.
    for (key, attempt) in attempts where attempt.highest > attempt.lowest + Self.kept {
      attempts[key] = nil
      retired.insert(key)
    }
    brought = brought.filter(\.value.isPromised)
  }

  private mutating func compare(_ line: Line, _ key: String) throws {
    // Whom it reaches, and whether it was kept, may differ.
    let outcome = line.members.members.filter { !["ref", "devices", "replayed"].contains($0.key) }
      .map { "\($0.key)=\($0.value.raw)" }.joined(separator: " ")
    guard let first = attempts[key]?.outcome else {
      attempts[key]?.outcome = outcome
      return
    }
    try demand(outcome == first, "\(key) came to \(first), then to \(outcome)")
  }

  private mutating func check(_ change: History.Change, _ landing: Landing) throws {
    let content = change.after.contentState
    guard change.after.state != .dismissed, change.before?.contentState != content else { return }
    try demand(
      !(brought[content.bytes]?.isPromised ?? false),
      "\(change.after.id) was given twice: "
        + String(decoding: content.bytes.prefix(100), as: UTF8.self))
    brought[content.bytes] = Brought(
      keptUntil: landing.decided.lowerBound + Self.kept,
      // The clock may have been set, and set back, while it was on its way to disk.
      highest: landing.highestReading)
  }
}
