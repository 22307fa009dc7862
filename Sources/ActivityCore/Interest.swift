/// Which activities somebody wants to see: those that any of its sets holds.
package struct Interest: Equatable, Sendable {
  package var channels: Set<Name> = []
  package var ids: Set<Name> = []
  package var types: Set<Name> = []
  package var all = false
  /// Nothing beyond it is seen, whatever the sets name; nil for no such bound.
  package var reach: Reach?

  package init() {}

  package var isEmpty: Bool { !all && keyCount == 0 }

  package var keyCount: Int { channels.count + ids.count + types.count }

  package func holds(_ activity: Activity) -> Bool {
    names(activity) && reach?.holds(activity) ?? true
  }

  private func names(_ activity: Activity) -> Bool {
    all || ids.contains(Name(activity.id)) || types.contains(Name(activity.attributesType))
      || activity.channels.contains { channels.contains(Name($0)) }
  }

  package mutating func add(_ other: Interest) {
    channels.formUnion(other.channels)
    ids.formUnion(other.ids)
    types.formUnion(other.types)
    all = all || other.all
  }

  package mutating func remove(_ other: Interest) {
    channels.subtract(other.channels)
    ids.subtract(other.ids)
    types.subtract(other.types)
    if other.all { all = false }
  }

  /// Adds what identifies this interest, in an order of its own.
  package func add(to digest: inout Digest) {
    digest.add(all ? "all" : "")
    for set in [channels, ids, types] {
      for name in set.sorted() { digest.add(name.text) }
      digest.add("")
    }
    reach?.add(to: &digest)
  }
}
