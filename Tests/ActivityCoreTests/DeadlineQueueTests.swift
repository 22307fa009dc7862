import TestSupport
import Testing

@testable import ActivityCore

@Suite("Deadline queue")
struct DeadlineQueueTests {
  private let items = (0..<5).map { Subject(id: "\($0)") }

  @Test("an empty queue has no next deadline")
  func empty() {
    let queue = DeadlineQueue()
    #expect(queue.next == nil && queue.count == 0)
    #expect(queue.first(dueAt: .distantFuture) == nil)
    #expect(queue.instant(of: items[0]) == nil)
  }

  @Test("an item is due at its instant, not before, and stays until it is taken out")
  func due() {
    var queue = DeadlineQueue()
    queue.set(items[0], to: at(10))
    #expect(queue.first(dueAt: at(9.999_999)) == nil)
    #expect(queue.first(dueAt: at(10)) === items[0])
    #expect(queue.first(dueAt: at(11)) === items[0])
    queue.set(items[0], to: nil)
    #expect(queue.next == nil)
    queue.set(items[0], to: nil)
    #expect(queue.count == 0)
  }

  @Test("an item that is set again is moved, not added")
  func moved() {
    var queue = DeadlineQueue()
    queue.set(items[0], to: at(10))
    queue.set(items[1], to: at(20))
    queue.set(items[0], to: at(30))
    #expect(queue.count == 2)
    #expect(queue.next == at(20))
    #expect(queue.instant(of: items[0]) == at(30))
    queue.set(items[0], to: at(5))
    #expect(queue.first(dueAt: at(5)) === items[0])
  }

  @Test("items in the middle can be taken out")
  func removedFromTheMiddle() {
    var queue = DeadlineQueue()
    for (index, item) in items.enumerated() { queue.set(item, to: at(Double(index))) }
    queue.set(items[1], to: nil)
    queue.set(items[3], to: nil)
    #expect(drain(&queue) == ["0", "2", "4"])
  }

  @Test(
    "it agrees with a list that is searched whole",
    arguments: [1, 2, 3, 4] as [UInt64])
  func agreesWithAList(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let items = (0..<40).map { Subject(id: "\($0)") }
    var queue = DeadlineQueue()
    var model: [Int: Instant] = [:]
    for step in 0..<5_000 {
      let index = Int.random(in: 0..<items.count, using: &generator)
      if generator.chance(oneIn: 3) {
        queue.set(items[index], to: nil)
        model[index] = nil
      } else {
        // Few different instants, so that many are equal.
        let instant = at(Double(Int.random(in: 0..<20, using: &generator)))
        queue.set(items[index], to: instant)
        model[index] = instant
      }
      let earliest = model.values.min()
      #expect(queue.count == model.count, "seed \(seed), step \(step)")
      #expect(queue.next == earliest, "seed \(seed), step \(step)")
      #expect(queue.instant(of: items[index]) == model[index], "seed \(seed), step \(step)")
      if let earliest {
        let first = queue.first(dueAt: earliest)
        #expect(first.flatMap { queue.instant(of: $0) } == earliest)
      }
    }
    let instants = model.values.sorted()
    var drained: [Instant] = []
    while let next = queue.next, let item = queue.first(dueAt: next) {
      drained.append(next)
      queue.set(item, to: nil)
    }
    #expect(drained == instants)
  }

  @Test("items with equal instants come in the same order each time")
  func deterministic() {
    func order() -> [String] {
      let items = (0..<20).map { Subject(id: "\($0)") }
      var queue = DeadlineQueue()
      for (index, item) in items.enumerated() { queue.set(item, to: at(Double(index % 3))) }
      queue.set(items[7], to: at(0))
      return drain(&queue)
    }
    #expect(order() == order())
  }

  private func drain(_ queue: inout DeadlineQueue) -> [String] {
    var ids: [String] = []
    while let item = queue.first(dueAt: .distantFuture) {
      if let subject = item as? Subject { ids.append(subject.id) }
      queue.set(item, to: nil)
    }
    return ids
  }
}
