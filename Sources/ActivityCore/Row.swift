/// One durable generation of an activity: what readers see.
package final class Row: Scheduled {
  /// Replaced whole by each durable change; one loop thread only.
  package internal(set) var activity: Activity
  /// The removal of its tombstone is staged.
  var isLeaving = false
  /// Its tombstone has been removed; whoever still refers to it drops it.
  package internal(set) var isForgotten = false

  package init(_ activity: Activity) {
    self.activity = activity
  }
}

/// Everything about one id: the newest durable generation, and what is decided beyond it.
final class Subject: Scheduled {
  let id: String
  var row: Row?
  /// Decided, not yet durable, with the batch that will make it so.
  var staged: Staged?

  final class Staged {
    var activity: Activity
    var batch: Int

    init(_ activity: Activity, batch: Int) {
      self.activity = activity
      self.batch = batch
    }
  }

  init(id: String) {
    self.id = id
  }

  /// What a write is decided on. A tombstone whose removal is staged is no more.
  var newest: Activity? {
    guard let newest = staged?.activity ?? row?.activity else { return nil }
    let isLeaving = row.map { $0.isLeaving && $0.activity.generation == newest.generation }
    return isLeaving ?? false ? nil : newest
  }
}
