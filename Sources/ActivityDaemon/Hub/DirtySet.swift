package import ActivityCore

/// What a session hasn't been sent yet: for each generation the seq of its first change unsent.
///
/// Not a log: however often an activity changes it has one entry, of at most 64 bytes with all that
/// belongs to it. The order of sending is delivery priority 10 before 5, then the longest waiting; a
/// low one whose first change is at or below `promoted` has waited long enough to count as 10.
/// Each operation costs a logarithm of the count at most, but for sweeping now and then.
package struct DirtySet {
  /// A seq and a priority in 8 bytes, since there may be a million of them a session.
  private struct Entry: Equatable {
    private var bits: Int64
    var seq: Seq { bits >> 1 }
    var isHigh: Bool { bits & 1 == 1 }

    init(seq: Seq, isHigh: Bool) { bits = seq << 1 | (isHigh ? 1 : 0) }
  }

  private var entries: [Generation: Entry] = [:]
  // A generation stays behind in `low` when it is raised, and in either when it is removed; it is
  // skipped when its turn comes, or swept out with others.
  private var high = Lane()
  private var low = Lane()

  package init() {}

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }
  /// Places in the order, those left behind too: an eighth more than `count`, and a few.
  var placeCount: Int { high.count + low.count }

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

  func seq(of generation: Generation) -> Seq? { entries[generation]?.seq }

  func contains(_ generation: Generation) -> Bool { entries[generation] != nil }

  package mutating func insert(_ generation: Generation, seq: Seq, isHigh: Bool) {
    var entry = Entry(seq: seq, isHigh: isHigh)
    if let present = entries[generation] {
      guard isHigh, !present.isHigh else { return }
      entry = Entry(seq: present.seq, isHigh: true)
    }
    entries[generation] = entry
    let item = Lane.Item(generation: generation, seq: entry.seq)
    if isHigh { high.insert(item) } else { low.insert(item) }
    sweep()
  }

  /// Takes out what is left behind in the lanes, before it costs more than an eighth.
  private mutating func sweep() {
    guard placeCount > entries.count + entries.count / 8 + 16 else { return }
    high = Lane(entries.lazy.filter(\.value.isHigh).map { ($0.key, $0.value.seq) })
    low = Lane(entries.lazy.filter { !$0.value.isHigh }.map { ($0.key, $0.value.seq) })
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
    return (next.generation, next.seq)
  }

  /// The first of a lane that still waits there.
  private mutating func front(of lane: WritableKeyPath<DirtySet, Lane>) -> Lane.Item? {
    let isHigh = lane == \DirtySet.high
    while let first = self[keyPath: lane].first {
      if entries[first.generation] == Entry(seq: first.seq, isHigh: isHigh) { return first }
      self[keyPath: lane].removeFirst()
    }
    return nil
  }
}

/// Generations, the smallest seq first: a heap.
private struct Lane {
  struct Item {
    var generation: Generation
    var seq: Seq

    func precedes(_ other: Item) -> Bool {
      seq == other.seq ? generation < other.generation : seq < other.seq
    }
  }

  private var items: [Item] = []

  init() {}

  /// - Parameter waiting: in any order.
  init(_ waiting: some Sequence<(Generation, Seq)>) {
    var count = 0
    for _ in waiting { count += 1 }
    items.reserveCapacity(Self.room(for: count))
    for (generation, seq) in waiting { items.append(Item(generation: generation, seq: seq)) }
    for index in (0..<count / 2).reversed() { sink(from: index) }
  }

  var first: Item? { items.first }
  var count: Int { items.count }

  mutating func insert(_ item: Item) {
    if items.count == items.capacity { items.reserveCapacity(Self.room(for: items.count)) }
    items.append(item)
    var index = items.count - 1
    while index > 0, items[index].precedes(items[(index - 1) / 2]) {
      items.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func removeFirst() {
    items.swapAt(0, items.count - 1)
    items.removeLast()
    sink(from: 0)
  }

  /// An eighth more, not the double, to stay within the bytes that an entry may cost.
  private static func room(for count: Int) -> Int { count + count / 8 + 4 }

  private mutating func sink(from start: Int) {
    var index = start
    while true {
      var child = 2 * index + 1
      guard child < items.count else { return }
      if child + 1 < items.count, items[child + 1].precedes(items[child]) { child += 1 }
      guard items[child].precedes(items[index]) else { return }
      items.swapAt(index, child)
      index = child
    }
  }
}
