extension Coordinator {
  /// The newest durable generation of an id, its tombstone too; nil if there is none.
  package func row(of id: String) -> Row? { subjects[id]?.row }

  /// A durable generation; nil once its tombstone is removed.
  package func row(generation: Generation) -> Row? { rows[generation] }

  /// The rows in view that devices are shown, in order of relevance.
  package func shown(in interest: Interest) -> [Row] {
    var found = candidates(for: interest).filter { $0.activity.state.isShown }
    found.sort { $0.activity.precedes($1.activity) }
    return found
  }

  /// The rows in view that devices are shown and that changed after `seq`, in order of relevance.
  package func shown(in interest: Interest, changedAfter seq: Seq) -> [Row] {
    var found = candidates(for: interest).filter {
      $0.activity.state.isShown && $0.activity.seq > seq
    }
    found.sort { $0.activity.precedes($1.activity) }
    return found
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
      found = candidates(for: interest)
    }
    if states.contains(.dismissed) { found += tombstones.filter { !$0.isForgotten } }
    found = found.filter { filter.matches($0.activity) }
    found.sort { $0.activity.precedes($1.activity) }
    return found
  }

  /// The rows that aren't dismissed and that any set of the interest holds, each once.
  private func candidates(for interest: Interest) -> [Row] {
    if interest.all {
      return subjects.values.compactMap { subject in
        subject.row.flatMap { $0.activity.state == .dismissed ? nil : $0 }
      }
    }
    var generations: Set<Generation> = []
    for channel in interest.channels { generations.formUnion(byChannel[channel] ?? []) }
    for type in interest.types { generations.formUnion(byType[type] ?? []) }
    var found = generations.compactMap { rows[$0] }
    for id in interest.ids {
      guard let row = subjects[id]?.row, row.activity.state != .dismissed,
        !generations.contains(row.activity.generation)
      else { continue }
      found.append(row)
    }
    return found
  }
}

/// What a `list` asks for: every condition given must be met.
package struct ListFilter: Equatable, Sendable {
  package var channels: Set<String>?
  package var types: Set<String>?
  package var states: Set<State>

  package init(channels: Set<String>?, types: Set<String>?, states: Set<State>) {
    self.channels = channels
    self.types = types
    self.states = states
  }

  func matches(_ activity: Activity) -> Bool {
    states.contains(activity.state)
      && types?.contains(activity.attributesType) ?? true
      && channels.map { wanted in activity.channels.contains { wanted.contains($0) } } ?? true
  }
}
