/// Something that is due at an instant: an id's next change, or a tombstone's removal.
package class Scheduled {
  /// Its place in the queue; -1 while it is in none.
  fileprivate final var position = -1

  init() {}
}

/// All deadlines, earliest first: a binary heap whose items know their place.
///
/// Setting and removing cost O(log n), the next deadline O(1). Items with equal instants come in
/// an order that depends only on what was done before, never on chance.
package struct DeadlineQueue {
  private struct Slot {
    var instant: Instant
    var item: Scheduled
  }

  private var slots: [Slot] = []

  package init() {}

  mutating func reserveRoom(for count: Int) { slots.reserveCapacity(count) }

  var next: Instant? { slots.first?.instant }

  var count: Int { slots.count }

  /// The earliest item, if it is due at `now`. It stays in the queue.
  package func first(dueAt now: Instant) -> Scheduled? {
    guard let first = slots.first, first.instant <= now else { return nil }
    return first.item
  }

  func instant(of item: Scheduled) -> Instant? {
    item.position >= 0 ? slots[item.position].instant : nil
  }

  /// Puts the item at `instant`, wherever it was before; nil takes it out.
  package mutating func set(_ item: Scheduled, to instant: Instant?) {
    guard let instant else { return remove(item) }
    if item.position < 0 {
      item.position = slots.count
      slots.append(Slot(instant: instant, item: item))
      rise(from: item.position)
    } else {
      let before = slots[item.position].instant
      guard before != instant else { return }
      slots[item.position].instant = instant
      if instant < before { rise(from: item.position) } else { sink(from: item.position) }
    }
  }

  private mutating func remove(_ item: Scheduled) {
    let position = item.position
    guard position >= 0 else { return }
    item.position = -1
    let last = slots.removeLast()
    guard position < slots.count else { return }
    let before = slots[position].instant
    slots[position] = last
    last.item.position = position
    if last.instant < before { rise(from: position) } else { sink(from: position) }
  }

  private mutating func rise(from start: Int) {
    var position = start
    let slot = slots[position]
    while position > 0 {
      let parent = (position - 1) / 2
      guard slot.instant < slots[parent].instant else { break }
      place(slots[parent], at: position)
      position = parent
    }
    place(slot, at: position)
  }

  private mutating func sink(from start: Int) {
    var position = start
    let slot = slots[position]
    while true {
      var child = 2 * position + 1
      guard child < slots.count else { break }
      if child + 1 < slots.count, slots[child + 1].instant < slots[child].instant { child += 1 }
      guard slots[child].instant < slot.instant else { break }
      place(slots[child], at: position)
      position = child
    }
    place(slot, at: position)
  }

  private mutating func place(_ slot: Slot, at position: Int) {
    slots[position] = slot
    slot.item.position = position
  }
}
