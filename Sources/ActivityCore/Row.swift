/// One durable generation of an activity: what readers see.
package final class Row: Scheduled {
  /// Replaced whole by each durable change; one loop thread only.
  package internal(set) var activity: Activity
  /// The generation of the same id whose place it took; 0 if there was none. That one's tombstone
  /// may have been removed since.
  var olderGeneration: Generation = 0
  /// The removal of its tombstone is staged.
  var isLeaving = false
  /// Its tombstone has been removed; whoever still refers to it drops it.
  package internal(set) var isForgotten = false

  package init(_ activity: consuming Activity) {
    self.activity = consume activity
  }
}

/// Everything about one id: the newest durable generation, and what is decided beyond it.
final class Subject: Scheduled {
  let id: String
  var row: Row?
  /// Decided, not yet durable.
  var staged: Box<Activity>?
  /// The batch that will make what is staged durable.
  var stagedBatch = 0

  init(id: String) {
    self.id = id
  }

  /// What a write is decided on. A tombstone whose removal is staged is no more.
  var newest: Activity? {
    guard let staged else { return row.flatMap { $0.isLeaving ? nil : $0.activity } }
    if let row, row.isLeaving, row.activity.generation == staged.value.generation { return nil }
    return staged.value
  }

  /// Whether it is an activity rather than a tombstone or nothing, what is staged included.
  var isActivity: Bool {
    if let staged { return staged.value.state != .dismissed }
    if let row { return row.activity.state != .dismissed }
    return false
  }

  /// Who started it, if it is an activity; "" if that isn't known.
  var publisher: String? {
    guard isActivity else { return nil }
    return (staged.map { $0.value.startedBy } ?? row?.activity.startedBy) ?? ""
  }
}
