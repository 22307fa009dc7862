internal import ActivityCore

/// Changes of priority 5 that wait, for the whole daemon, to travel with others.
///
/// One window for all sessions keeps them in step. While a change of seq s waits here no session
/// is given a cursor at or above s.
struct LowPriorityWindow {
  private var waiting: [Generation: Seq] = [:]
  /// In order of the seq of the first change; those taken out stay here until the end.
  private var order: [Row] = []

  var isEmpty: Bool { waiting.isEmpty }

  /// The smallest seq that waits; nil if none does.
  var firstSeq: Seq? { waiting.values.min() }

  mutating func hold(_ row: Row, since seq: Seq) {
    guard waiting[row.activity.generation] == nil else { return }
    waiting[row.activity.generation] = seq
    order.append(row)
  }

  /// Takes an activity out; answers the seq of its first change that waited.
  mutating func take(_ row: Row) -> Seq? {
    waiting.removeValue(forKey: row.activity.generation)
  }

  /// Takes all out, the longest waiting first.
  mutating func takeAll() -> [(row: Row, seq: Seq)] {
    defer {
      waiting.removeAll(keepingCapacity: true)
      order.removeAll(keepingCapacity: true)
    }
    return order.compactMap { row in
      waiting.removeValue(forKey: row.activity.generation).map { (row, $0) }
    }
  }
}
