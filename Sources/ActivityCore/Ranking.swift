/// Some of the activities and tombstones, in order of relevance or of their newest changes.
///
/// It is made up piece by piece: which activities may belong to it is noted at once, at a few
/// nanoseconds each, but looking at a million of them takes longer than a turn of the loop may.
/// Each is ranked as it is when it is looked at; one that is dismissed meanwhile stays in.
package final class Ranking {
  enum Order {
    case relevance
    case seq
  }

  private struct Entry {
    /// By relevance; else 0.
    let relevanceScore: Double
    /// The start in microseconds, or the seq.
    let place: Int64
    let row: Row

    init(_ row: Row, in order: Order) {
      switch order {
      case .relevance:
        relevanceScore = row.activity.relevanceScore
        place = row.activity.startDate.microseconds
      case .seq:
        relevanceScore = 0
        place = row.activity.seq
      }
      self.row = row
    }

    /// As `Activity.precedes`, looking at the row only where these two are equal.
    func precedes(_ other: Entry) -> Bool {
      if relevanceScore != other.relevanceScore { return relevanceScore > other.relevanceScore }
      if place != other.place { return place < other.place }
      return row.activity.precedes(other.row.activity)
    }
  }

  private unowned let coordinator: Coordinator
  private let order: Order
  private let isWanted: (Activity) -> Bool
  /// Not looked at yet, from the end.
  private var candidates: [Generation]
  /// The tombstones of these seqs neither, from the beginning.
  private var tombstones: (after: Seq, upTo: Seq)
  /// A binary heap.
  private var heap: [Entry] = []
  /// Whether some were forgotten before they were looked at.
  package private(set) var hasLost = false

  /// - Parameter seq: Tombstones of later seqs belong to the candidates too; nil: none does.
  init(
    _ candidates: [Generation], andTombstonesAfter seq: Seq? = nil, of coordinator: Coordinator,
    by order: Order = .relevance, where isWanted: @escaping (Activity) -> Bool
  ) {
    self.order = order
    self.candidates = candidates
    self.coordinator = coordinator
    self.isWanted = isWanted
    let newest = coordinator.newestTombstone
    tombstones = (seq.map { min($0, newest) } ?? newest, newest)
  }

  /// Whether all have been looked at; not earlier is it known which comes first.
  package var isComplete: Bool {
    candidates.isEmpty && tombstones.after == tombstones.upTo
  }

  /// Looks at `count` more, if there are so many; answers at how many.
  package func gather(_ count: Int) -> Int {
    let live = min(count, candidates.count)
    for generation in candidates.suffix(live) {
      if let row = coordinator.row(generation: generation) {
        look(at: row)
      } else {
        hasLost = true
      }
    }
    candidates.removeLast(live)
    guard live < count, !isComplete else { return live }
    return live + gatherTombstones(count - live)
  }

  /// They are found by seq each time, since some may have been removed meanwhile.
  private func gatherTombstones(_ count: Int) -> Int {
    let found = coordinator.tombstones(after: tombstones.after).prefix(count)
    for row in found where row.activity.seq <= tombstones.upTo && !row.isForgotten {
      look(at: row)
    }
    let isLast = found.count < count
    tombstones.after = isLast ? tombstones.upTo : min(found.last!.activity.seq, tombstones.upTo)
    return found.count
  }

  private func look(at row: Row) {
    if isWanted(row.activity) { insert(Entry(row, in: order)) }
  }

  /// Takes the first out, once all have been looked at.
  package func popFirst() -> Row? {
    precondition(isComplete, "what hasn't been looked at may come first")
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if !heap.isEmpty { sink(last) }
    return first.row
  }

  private func insert(_ entry: Entry) {
    var position = heap.count
    heap.append(entry)
    while position > 0 {
      let parent = (position - 1) / 2
      guard entry.precedes(heap[parent]) else { break }
      heap[position] = heap[parent]
      position = parent
    }
    heap[position] = entry
  }

  /// Puts an entry in the place of the first.
  private func sink(_ entry: Entry) {
    var position = 0
    while true {
      var child = 2 * position + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
      guard heap[child].precedes(entry) else { break }
      heap[position] = heap[child]
      position = child
    }
    heap[position] = entry
  }
}
