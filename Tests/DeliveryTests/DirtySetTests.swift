import ActivityCore
import Glibc
import TestSupport
import Testing

@testable import ActivityDaemon

@Suite("A dirty set")
struct DirtySetTests {
  @Test("10 goes before 5, and among equals the longest waiting goes first")
  func order() {
    var set = DirtySet()
    set.insert(1, seq: 10, isHigh: false)
    set.insert(2, seq: 12, isHigh: true)
    set.insert(3, seq: 11, isHigh: true)
    set.insert(4, seq: 9, isHigh: false)
    expect(set.drained(promoted: 0) == [3, 2, 4, 1])
  }

  @Test("a 5 that has waited a second counts as 10")
  func promotion() {
    var set = DirtySet()
    set.insert(1, seq: 10, isHigh: false)
    set.insert(2, seq: 12, isHigh: true)
    set.insert(3, seq: 13, isHigh: false)
    expect(set.drained(promoted: 12) == [1, 2, 3])
  }

  @Test("an activity keeps the seq of its first change, and the highest of its priorities")
  func firstSeq() {
    var set = DirtySet()
    set.insert(1, seq: 5, isHigh: false)
    set.insert(2, seq: 6, isHigh: true)
    set.insert(1, seq: 7, isHigh: true)
    set.insert(1, seq: 8, isHigh: false)
    expect(set.firstSeq == 5)
    expect(set.count == 2)
    expect(set.drained(promoted: 0) == [1, 2])
  }

  @Test("what is removed doesn't come back when its old place in the order is reached")
  func removal() {
    var set = DirtySet()
    set.insert(1, seq: 5, isHigh: true)
    set.insert(2, seq: 6, isHigh: true)
    expect(set.remove(1) == 5)
    expect(set.remove(1) == nil)
    set.insert(1, seq: 9, isHigh: true)
    expect(set.firstSeq == 6)
    expect(set.drained(promoted: 0) == [2, 1])
  }

  @Test("it does what a plain list would", arguments: 1...10)
  func agreesWithTheNaive(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var set = DirtySet()
    var naive = NaiveDirtySet()
    for seq in Seq(1)...5_000 {
      let generation = Generation(random.below(random.pick([5, 200])))
      switch random.below(10) {
      case 0..<6:
        // A change that waited elsewhere comes with an older seq.
        let first = random.chance(oneIn: 4) ? max(1, seq - Seq(random.below(50))) : seq
        let isHigh = random.chance(oneIn: 2)
        set.insert(generation, seq: first, isHigh: isHigh)
        naive.insert(generation, seq: first, isHigh: isHigh)
      case 6: expect(set.remove(generation) == naive.remove(generation))
      default:
        let promoted = seq - Seq(random.below(100))
        let next = set.popFirst(promoted: promoted)
        let expected = naive.popFirst(promoted: promoted)
        expect(next?.generation == expected?.generation && next?.seq == expected?.seq)
      }
      expect(set.firstSeq == naive.firstSeq)
      expect(set.count == naive.items.count && set.isEmpty == naive.items.isEmpty)
      expect(set.contains(generation) == naive.items.contains { $0.generation == generation })
    }
  }

  @Test(
    "a dirty activity costs at most 64 bytes, even just after growing and being raised",
    .disabled(if: Sanitizer.isOn, "memory isn't what it costs then"))
  func bytes() async {
    // A process of its own: nobody else allocates there.
    await #expect(processExitsWith: .success) {
      returnFreeMemory()
      // What else a first run needs, code above all, isn't measured.
      _ = bytesOfDirtySet(count: 1_000)
      // A dictionary has just doubled at this count.
      let bytes = bytesOfDirtySet(count: 393_217)
      exit(bytes > 0 && bytes <= 64 * 393_217 ? 0 : 1)
    }
  }

  @Test("raising many activities, the newest first, doesn't cost the square of their number")
  func raising() {
    let count: Int64 = 300_000
    var set = DirtySet()
    for generation in 0..<count { set.insert(generation, seq: generation, isHigh: false) }
    var sweeps = 0
    for generation in (0..<count).reversed() {
      let places = set.placeCount
      set.insert(generation, seq: count + generation, isHigh: true)
      // Only to look at all of them leaves no more places than before.
      if set.placeCount <= places { sweeps += 1 }
    }
    // Each time an eighth has been left behind.
    #expect(sweeps <= 8)
    expect(set.drained(promoted: 0) == Array(0..<count))
  }
}

extension DirtySet {
  fileprivate mutating func drained(promoted: Seq) -> [Generation] {
    var order: [Generation] = []
    while let next = popFirst(promoted: promoted) { order.append(next.generation) }
    return order
  }
}

/// What a set costs in which many have been raised, taken out and put in again.
private func bytesOfDirtySet(count: Int) -> Int {
  let before = (try? residentBytes()) ?? 0
  var set = DirtySet()
  for generation in 0..<Int64(count) { set.insert(generation, seq: generation, isHigh: false) }
  for generation in 0..<Int64(count / 2) { set.insert(generation, seq: 0, isHigh: true) }
  for generation in 0..<Int64(count / 4) {
    set.remove(generation)
    set.insert(generation, seq: Int64(count) + generation, isHigh: true)
  }
  let bytes = ((try? residentBytes()) ?? 0) - before
  return set.count == count ? bytes : 0
}

/// From here on what is large goes back to the kernel as soon as it is free. The module of the C
/// library doesn't name `mallopt`.
private func returnFreeMemory() {
  guard let symbol = unsafe dlsym(nil, "mallopt") else { return }
  let setOption = unsafe unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
  let mmapThreshold: CInt = -3
  _ = setOption(mmapThreshold, 65_536)
}

/// The same rules on a list that is searched from end to end.
private struct NaiveDirtySet {
  var items: [(generation: Generation, seq: Seq, isHigh: Bool)] = []

  var firstSeq: Seq? { items.map(\.seq).min() }

  mutating func insert(_ generation: Generation, seq: Seq, isHigh: Bool) {
    if let index = items.firstIndex(where: { $0.generation == generation }) {
      items[index].isHigh = items[index].isHigh || isHigh
    } else {
      items.append((generation, seq, isHigh))
    }
  }

  mutating func remove(_ generation: Generation) -> Seq? {
    guard let index = items.firstIndex(where: { $0.generation == generation }) else { return nil }
    return items.remove(at: index).seq
  }

  mutating func popFirst(promoted: Seq) -> (generation: Generation, seq: Seq)? {
    let isUrgent = items.map { $0.isHigh || $0.seq <= promoted }
    let index = items.indices.min { left, right in
      if isUrgent[left] != isUrgent[right] { return isUrgent[left] }
      if items[left].seq != items[right].seq { return items[left].seq < items[right].seq }
      // At the same seq a 10 still goes first.
      if items[left].isHigh != items[right].isHigh { return items[left].isHigh }
      return items[left].generation < items[right].generation
    }
    guard let index else { return nil }
    let item = items.remove(at: index)
    return (item.generation, item.seq)
  }
}
