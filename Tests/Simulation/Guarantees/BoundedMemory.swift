import TestSupport

/// What the daemon keeps for one socket is bounded by the limits and by how many activities there
/// are, not by how much the other end has missed.
struct BoundedMemory: Guarantee {
  static let name = "bounded-memory"

  /// Answers (64 KiB and one more line), a piece of the state (64 KiB and one more line), or a
  /// turn's lines up to the same size.
  private static let bufferedBytesMax = 3 * 65_536 + 2 * 8_192

  init() {}

  mutating func observe(_ observation: Observation, _ model: Model) throws {
    switch observation {
    case .buffered(let party, let bytes):
      try demand(
        bytes <= Self.bufferedBytesMax, "\(bytes) bytes wait for connection \(party.number)")
    case .told(_, let line, _):
      guard let client = line.members["client"]?.object else { return }
      let waiting = (client["dirty"]?.integer ?? 0) + (client["paced"]?.integer ?? 0)
      let known = model.history.generations.count
      try demand(waiting <= known, "\(waiting) changes wait, of \(known) activities: \(line.text)")
    default: break
    }
  }
}
