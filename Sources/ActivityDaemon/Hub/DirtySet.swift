package import ActivityCore

/// What a session hasn't been sent yet: for each generation the seq of its first change unsent.
///
/// Not a log: however often an activity changes it has one entry, of at most 64 bytes. The order
/// of sending is delivery priority 10 before 5, then the longest waiting; a low one whose first
/// change is at or below `promoted` has waited long enough to count as 10.
package struct DirtySet {
  /// A seq and a priority in 8 bytes, since there may be a million of them a session.
  private struct Entry {
    private var bits: Int64
    var seq: Seq { bits >> 1 }
    var isHigh: Bool { bits & 1 == 1 }

    init(seq: Seq, isHigh: Bool) { bits = seq << 1 | (isHigh ? 1 : 0) }
  }

  private var entries: [Generation: Entry] = [:]
  // Generations in order of the seq of their entries. One may be left behind in `low` when it
  // was raised, or anywhere when it was removed; it is skipped when its turn comes.
  private var high = Lane()
  private var low = Lane()

  package init() {}

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  /// The smallest seq that waits; nil if none does.
  var firstSeq: Seq? {
    mutating get {
      switch (front(of: \.high), front(of: \.low)) {
      case (let high?, let low?): min(high.seq, low.seq)
      case (let high?, nil): high.seq
      case (nil, let low?): low.seq
      case (nil, nil): nil
      }
    }
  }

  func contains(_ generation: Generation) -> Bool { entries[generation] != nil }

  package mutating func insert(_ generation: Generation, seq: Seq, isHigh: Bool) {
    guard let entry = entries[generation] else {
      entries[generation] = Entry(seq: seq, isHigh: isHigh)
      if isHigh {
        high.append(generation, seq: seq)
      } else {
        low.append(generation, seq: seq)
      }
      return
    }
    guard isHigh, !entry.isHigh else { return }
    entries[generation] = Entry(seq: entry.seq, isHigh: true)
    high.insert(generation, seq: entry.seq)
  }

  /// Takes an entry out; answers its seq.
  @discardableResult
  mutating func remove(_ generation: Generation) -> Seq? {
    guard let entry = entries.removeValue(forKey: generation) else { return nil }
    if entries.isEmpty { self = DirtySet() }
    return entry.seq
  }

  /// Takes out what is to be sent next.
  package mutating func popFirst(promoted: Seq) -> (generation: Generation, seq: Seq)? {
    let high = front(of: \.high)
    let low = front(of: \.low)
    let takesLow: Bool
    switch (high, low) {
    case (nil, nil): return nil
    case (nil, _): takesLow = true
    case (_, nil): takesLow = false
    case (let high?, let low?): takesLow = low.seq <= promoted && low.seq < high.seq
    }
    guard let next = takesLow ? low : high else { return nil }
    if takesLow { self.low.removeFirst() } else { self.high.removeFirst() }
    entries[next.generation] = nil
    if entries.isEmpty { self = DirtySet() }
    return next
  }

  /// The first of a lane that still waits there.
  private mutating func front(of lane: WritableKeyPath<DirtySet, Lane>)
    -> (generation: Generation, seq: Seq)?
  {
    let isHigh = lane == \DirtySet.high
    while let first = self[keyPath: lane].first {
      if let entry = entries[first.generation], entry.isHigh == isHigh, entry.seq == first.seq {
        return (first.generation, entry.seq)
      }
      self[keyPath: lane].removeFirst()
    }
    return nil
  }
}

/// Generations in order of seq, taken from the front.
private struct Lane {
  private var items: [(generation: Generation, seq: Seq)] = []
  private var head = 0

  var first: (generation: Generation, seq: Seq)? { head < items.count ? items[head] : nil }

  mutating func append(_ generation: Generation, seq: Seq) {
    if let last = items.last, last.seq > seq { return insert(generation, seq: seq) }
    makeRoom()
    items.append((generation, seq))
  }

  /// Grows by a quarter, not to the double, to stay within the bytes an entry may cost.
  private mutating func makeRoom() {
    guard items.count == items.capacity else { return }
    items.reserveCapacity(items.count + items.count / 4 + 4)
  }

  mutating func insert(_ generation: Generation, seq: Seq) {
    var index = items.count
    while index > head, items[index - 1].seq > seq { index -= 1 }
    makeRoom()
    items.insert((generation, seq), at: index)
  }

  mutating func removeFirst() {
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: true)
      head = 0
    } else if head > 256, head * 2 > items.count {
      items.removeFirst(head)
      head = 0
    }
  }
}
