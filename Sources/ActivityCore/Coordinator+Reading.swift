extension Coordinator {
  /// A durable generation; nil once its tombstone is removed.
  package func row(generation: Generation) -> Row? { rows[generation] }

  /// What devices are shown of an interest and changed after `seq`, but for what they see by a
  /// `known` interest.
  package func ranking(
    of interest: Interest, changedAfter seq: Seq = 0, known: Interest? = nil
  ) -> Ranking {
    let reach = interest.reach
    return Ranking(candidates(for: interest), of: self) { activity in
      activity.state != .pending && activity.seq > seq && reach?.holds(activity) ?? true
        && !(known?.holds(activity) ?? false)
    }
  }

  /// What devices have been shown of an interest by now, but for what they see by a `known` one.
  package func ranking(ofShown interest: Interest, known: Interest, by seq: Seq) -> Ranking {
    let reach = interest.reach
    return Ranking(candidates(for: interest), of: self) { activity in
      activity.shownSeq > 0 && activity.shownSeq <= seq && reach?.holds(activity) ?? true
        && !known.holds(activity)
    }
  }

  /// What devices were shown of an interest, and are to show no more: what was dismissed for all
  /// after `seq` and, of what wasn't, what one device dismissed for `itself`. In order of seq: the
  /// generations of an id one after the other.
  package func ranking(
    ofGone interest: Interest, after seq: Seq, andBy itself: some Sequence<Generation>
  ) -> Ranking {
    let own = itself.filter { rows[$0].map { $0.activity.state != .dismissed } ?? false }
    return Ranking(own, andTombstonesAfter: seq, of: self, by: .seq) { activity in
      activity.shownSeq > 0 && interest.holds(activity)
    }
  }

  /// What a `list` speaks of, as far as it comes behind `last`.
  package func ranking(of filter: ListFilter, behind last: Activity? = nil) -> Ranking {
    var live: [Generation] = []
    if filter.states != [.dismissed] {
      var interest = Interest()
      interest.channels = filter.channels ?? []
      if filter.channels == nil { interest.types = filter.types ?? [] }
      interest.all = filter.channels == nil && filter.types == nil
      live = candidates(for: interest)
    }
    let isOfTheDead = filter.states.contains(.dismissed)
    return Ranking(live, andTombstonesAfter: isOfTheDead ? 0 : nil, of: self) { activity in
      filter.matches(activity) && last?.precedes(activity) ?? true
    }
  }

  /// One activity alone.
  package func ranking(of row: Row) -> Ranking {
    Ranking([row.activity.generation], of: self) { _ in true }
  }

  /// What a `list` shows under an id; nil if nothing.
  package func row(of id: String, in filter: ListFilter) -> Row? {
    var row = row(of: id)
    while let candidate = row, !filter.matches(candidate.activity) {
      // The older ones are dismissed, all of them.
      row = filter.states.contains(.dismissed) ? rows[candidate.olderGeneration] : nil
    }
    return row
  }

  /// The seq of the newest tombstone; 0 if there is none.
  var newestTombstone: Seq { tombstones.last?.activity.seq ?? 0 }

  /// The tombstones of later seqs, in order of seq.
  func tombstones(after seq: Seq) -> ArraySlice<Row> {
    var low = forgottenCount
    var high = tombstones.count
    while low < high {
      let middle = (low + high) / 2
      if tombstones[middle].activity.seq > seq { high = middle } else { low = middle + 1 }
    }
    return tombstones[low...]
  }

  /// What isn't dismissed and any set of the interest holds, each once, within reach or not.
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
  /// Nothing beyond it; nil for no such bound.
  package var reach: Reach?

  package init(channels: Set<Name>?, types: Set<Name>?, states: Set<State>) {
    self.channels = channels
    self.types = types
    self.states = states
  }

  func matches(_ activity: Activity) -> Bool {
    states.contains(activity.state) && reach?.holds(activity) ?? true
      && types?.contains(Name(activity.attributesType)) ?? true
      && channels.map { wanted in activity.channels.contains { wanted.contains(Name($0)) } } ?? true
  }
}
