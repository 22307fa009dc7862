internal import ActivityCore

/// Changes of priority 5 that wait, for the whole daemon, to travel with others.
///
/// One window for all sessions keeps them in step. While a change of seq s waits here no session
/// is given a cursor at or above s.
struct LowPriorityWindow {
  /// The seq of each activity's first change that waits.
  private var waiting: [Generation: Seq] = [:]
  /// In order of seq. One that was taken out since stays until its turn comes.
  private var order: [(row: Row, seq: Seq)] = []
  private var head = 0

  var isEmpty: Bool { waiting.isEmpty }

  /// The smallest seq that waits; nil if none does.
  var firstSeq: Seq? {
    mutating get {
      while head < order.count, !isWaiting(order[head]) { head += 1 }
      return head < order.count ? order[head].seq : nil
    }
  }

  mutating func hold(_ row: Row, since seq: Seq) {
    guard waiting[row.activity.generation] == nil else { return }
    waiting[row.activity.generation] = seq
    order.append((row, seq))
  }

  /// Takes an activity out; answers the seq of its first change that waited.
  mutating func take(_ row: Row) -> Seq? {
    waiting.isEmpty ? nil : waiting.removeValue(forKey: row.activity.generation)
  }

  /// Takes all out, the longest waiting first.
  mutating func takeAll() -> [(row: Row, seq: Seq)] {
    defer { self = LowPriorityWindow() }
    return order[head...].filter(isWaiting)
  }

  private func isWaiting(_ item: (row: Row, seq: Seq)) -> Bool {
    waiting[item.row.activity.generation] == item.seq
  }
}
