extension Coordinator {
  /// The newest durable generation of an id, its tombstone too; nil if there is none.
  package func row(of id: String) -> Row? { subjects[Name(id)]?.row }

  /// A durable generation; nil once its tombstone is removed.
  package func row(generation: Generation) -> Row? { rows[generation] }

  /// What devices are shown of an interest and changed after `seq`, but for what they see by a
  /// `known` interest.
  package func ranking(
    of interest: Interest, changedAfter seq: Seq = 0, known: Interest? = nil
  ) -> Ranking {
    Ranking(candidates(for: interest), of: self, after: seq, known: known)
  }

  /// The rows in view that devices are shown and that changed after `seq`, in order of relevance.
  package func shown(in interest: Interest, changedAfter seq: Seq = 0) -> [Row] {
    ranking(of: interest, changedAfter: seq).rows()
  }

  /// The tombstones in view that devices were shown, dismissed after `seq`, in order of seq.
  package func dismissed(in interest: Interest, after seq: Seq) -> [Row] {
    var low = forgottenCount
    var high = tombstones.count
    while low < high {
      let middle = (low + high) / 2
      if tombstones[middle].activity.seq > seq { high = middle } else { low = middle + 1 }
    }
    return tombstones[low...].filter { row in
      !row.isForgotten && row.activity.shownSeq > 0 && interest.holds(row.activity)
    }
  }

  /// The rows that a `list` speaks of, in order of relevance.
  package func listed(_ filter: ListFilter) -> [Row] {
    var found: [Row] = []
    let states = filter.states
    if states != [.dismissed] {
      var interest = Interest()
      interest.channels = filter.channels ?? []
      if filter.channels == nil { interest.types = filter.types ?? [] }
      interest.all = filter.channels == nil && filter.types == nil
      found = candidates(for: interest).compactMap { rows[$0] }
    }
    if states.contains(.dismissed) { found += tombstones.filter { !$0.isForgotten } }
    found = found.filter { filter.matches($0.activity) }
    found.sort { $0.activity.precedes($1.activity) }
    return found
  }

  /// What isn't dismissed and any set of the interest holds, each once.
  private func candidates(for interest: Interest) -> [Generation] {
    // Everything has a type.
    if interest.all { return byType.values.flatMap { $0 } }
    let sets =
      interest.channels.compactMap { byChannel[$0] } + interest.types.compactMap { byType[$0] }
    let newest = interest.ids.compactMap { id -> Generation? in
      guard let row = subjects[id]?.row, row.activity.state != .dismissed else { return nil }
      return row.activity.generation
    }
    // Most interests have one name.
    if newest.isEmpty, sets.count == 1 { return Array(sets[0]) }
    return Array(sets.reduce(into: Set(newest)) { $0.formUnion($1) })
  }
}

/// What a `list` asks for: every condition given must be met.
package struct ListFilter: Equatable, Sendable {
  package var channels: Set<Name>?
  package var types: Set<Name>?
  package var states: Set<State>

  package init(channels: Set<Name>?, types: Set<Name>?, states: Set<State>) {
    self.channels = channels
    self.types = types
    self.states = states
  }

  func matches(_ activity: Activity) -> Bool {
    states.contains(activity.state)
      && types?.contains(Name(activity.attributesType)) ?? true
      && channels.map { wanted in activity.channels.contains { wanted.contains(Name($0)) } } ?? true
  }
}
