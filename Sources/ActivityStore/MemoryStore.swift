package import ActivityCore

/// A store without durability, for tests and simulations. It can be made to fail.
package final class MemoryStore: Store {
  /// What happens to the commits to come.
  package enum Fault: Equatable, Sendable {
    case none
    /// The next one is lost.
    case nextCommit
    /// The next one lands, but is reported as failed.
    case nextCommitAfterLanding
    /// Each is lost, until told otherwise.
    case everyCommit
  }

  package var fault = Fault.none
  package let identity: StoreIdentity
  private var contents = Contents()

  package init(epoch: String = "memory") {
    identity = StoreIdentity(epoch: epoch, lastSeq: 0, floor: 0)
  }

  private init(epoch: String, contents: Contents) {
    identity = StoreIdentity(epoch: epoch, lastSeq: contents.seq, floor: contents.floor)
    self.contents = contents
  }

  /// The same store after a crash: what landed, and no fault.
  package func reopened() -> MemoryStore {
    MemoryStore(epoch: identity.epoch, contents: contents)
  }

  package func load(_ receive: (StoredItem) -> Void) {
    for generation in contents.activities.keys.sorted() {
      receive(.activity(contents.activities[generation]!))
    }
    for dismissal in contents.dismissals.sorted(by: { $0.seq < $1.seq }) {
      receive(.dismissal(dismissal))
    }
    for outcome in contents.sortedOutcomes { receive(.outcome(outcome)) }
    for token in contents.sortedTokens { receive(.token(token)) }
  }

  package func changes(after seq: Seq, _ receive: (StoredItem) -> Void) {
    var changes: [(seq: Seq, item: StoredItem)] = []
    for activity in contents.activities.values where activity.seq > seq {
      changes.append((activity.seq, .activity(activity)))
    }
    for dismissal in contents.dismissals where dismissal.seq > seq {
      changes.append((dismissal.seq, .dismissal(dismissal)))
    }
    for change in changes.sorted(by: { $0.seq < $1.seq }) { receive(change.item) }
    for outcome in contents.sortedOutcomes where outcome.told.seq > seq {
      receive(.outcome(outcome))
    }
    for token in contents.sortedTokens { receive(.token(token)) }
  }

  package func commit(_ mutations: [Mutation]) throws(StoreError) -> Committed {
    let fault = fault
    if fault != .everyCommit { self.fault = .none }
    switch fault {
    case .none: return try carryOut(mutations)
    case .nextCommit, .everyCommit: break
    case .nextCommitAfterLanding: _ = try carryOut(mutations)
    }
    throw StoreError(.unavailable, "the commit was made to fail")
  }

  private func carryOut(_ mutations: [Mutation]) throws(StoreError) -> Committed {
    var changed = contents
    changed.opened = [:]
    var results: [MutationResult] = []
    for mutation in mutations { results.append(try changed.carryOut(mutation)) }
    let committed = Committed(seqBefore: contents.seq, results: results)
    contents = changed
    return committed
  }
}

extension MemoryStore {
  /// Everything stored, and how a mutation changes it.
  private struct Contents {
    var seq: Seq = 0
    var floor: Seq = 0
    var activities: [Generation: Activity] = [:]
    var dismissals: [DeviceDismissal] = []
    var outcomes: [OutcomeKey: KeptOutcome] = [:]
    var tokens: [Name: Token] = [:]
    /// The generations that the present transaction opened, by id.
    var opened: [Name: Generation] = [:]

    var sortedOutcomes: [KeptOutcome] {
      outcomes.values.sorted { ($0.key.scope, $0.key.key) < ($1.key.scope, $1.key.key) }
    }

    var sortedTokens: [Token] { tokens.sorted { $0.key < $1.key }.map(\.value) }

    mutating func carryOut(_ mutation: Mutation) throws(StoreError) -> MutationResult {
      switch mutation {
      case .transition(let transition): return .seq(try write(transition))
      case .dismissal(let dismissal): return .seq(write(dismissal))
      case .watermark(let id, let instant):
        if let generation = newest(of: id)?.generation {
          activities[generation]!.watermark = instant
        }
      case .outcome(var outcome):
        if outcome.told.isOwnDismissal {
          outcome.told.seq = seq
        } else {
          outcome.told = newest(of: outcome.told.id).map(Told.init) ?? Told(id: outcome.told.id)
        }
        outcomes[outcome.key] = outcome
      case .forget(let generation):
        dismissals.removeAll { $0.generation == generation }
        floor = max(floor, activities.removeValue(forKey: generation)?.seq ?? 0)
      case .expireOutcomes(let instant):
        outcomes = outcomes.filter { $0.value.expiresAt > instant }
      case .token(let token):
        tokens = tokens.filter { Name($0.value.name) != Name(token.name) }
        tokens[Name(token.key)] = token
        return .seq(nextSeq())
      case .revoke(let key):
        tokens[Name(key)] = nil
        return .seq(nextSeq())
      case .trial: break
      }
      return .done
    }

    private mutating func nextSeq() -> Seq {
      seq += 1
      return seq
    }

    private mutating func write(_ transition: Transition) throws(StoreError) -> Seq {
      let given = transition.activity
      let generation = given.generation != 0 ? given.generation : opened[Name(given.id)] ?? 0
      let predecessor = transition.opensGeneration ? nil : activities[generation]
      guard transition.opensGeneration || predecessor != nil else {
        throw StoreError(.unusable, "generation \(generation) isn't in the store, but was changed")
      }
      seq += 1
      let activity = transition.sealed(seq: seq, predecessor: predecessor)
      if transition.opensGeneration { opened[Name(given.id)] = activity.generation }
      activities[activity.generation] = activity
      return seq
    }

    private mutating func write(_ given: DeviceDismissal) -> Seq {
      seq += 1
      var dismissal = given
      dismissal.seq = seq
      if given.generation == 0 { dismissal.generation = opened[Name(given.id)] ?? 0 }
      dismissals.removeAll {
        Name($0.device) == Name(dismissal.device) && $0.generation == dismissal.generation
      }
      dismissals.append(dismissal)
      return seq
    }

    private func newest(of id: String) -> Activity? {
      activities.values.filter { Name($0.id) == Name(id) }.max { $0.generation < $1.generation }
    }
  }
}
