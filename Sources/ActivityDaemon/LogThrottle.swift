/// Keeps anybody from filling the log: of each kind of line, each origin is allowed a few a second.
final class LogThrottle {
  /// Lines of one origin and kind that were held back.
  struct Held: Equatable {
    var event: String
    var origin: String
    var count: Int
  }

  private struct Kind: Hashable {
    var event: String
    var origin: String
  }

  private static let linesPerSecond = 5
  /// In this second; never more of them than there were lines.
  private var counts: [Kind: Int] = [:]

  func admits(event: String, origin: String) -> Bool {
    let count = counts[Kind(event: event, origin: origin), default: 0] + 1
    counts[Kind(event: event, origin: origin)] = count
    return count <= Self.linesPerSecond
  }

  /// Begins the next second; answers what was held back in the one that ends, in a fixed order.
  func endSecond() -> [Held] {
    guard !counts.isEmpty else { return [] }
    let held = counts.filter { $0.value > Self.linesPerSecond }.map { kind, count in
      Held(event: kind.event, origin: kind.origin, count: count - Self.linesPerSecond)
    }
    counts.removeAll(keepingCapacity: counts.count < 1_024)
    return held.sorted { ($0.event, $0.origin) < ($1.event, $1.origin) }
  }
}
