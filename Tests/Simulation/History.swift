import ActivityCore

/// Every durable change there ever was, in order. What may be told, and must be, is worked out
/// from it anew each time.
struct History {
  /// An activity after a change, and before.
  struct Change {
    var after: Activity
    var before: Activity?
    var opensGeneration: Bool
  }

  private(set) var newestSeq: Seq = 0
  /// In order of seq.
  private(set) var changes: [Change] = []
  /// The changes of each generation, as indexes.
  private var byGeneration: [Generation: [Int]] = [:]
  /// Those whose tombstone is still there, in order.
  private(set) var generations: [Generation] = []
  /// Of the devices with a name, in order of seq.
  private(set) var dismissals: [DeviceDismissal] = []
  /// Those that are kept, by key.
  private(set) var tokens: [String: Token] = [:]
  /// When each token, by its key, was taken out first.
  private(set) var revocations: [String: Seq] = [:]

  /// Takes over a transaction that became durable; answers its changes.
  mutating func land(_ landing: Landing) -> [Change] {
    var opened: [String: Generation] = [:]
    let first = changes.count
    newestSeq = max(newestSeq, landing.seqBefore)
    for mutation in landing.mutations {
      switch mutation {
      case .transition(let transition):
        newestSeq += 1
        let id = transition.activity.id
        if transition.opensGeneration { opened[id] = newestSeq }
        let given = transition.activity.generation
        let generation = transition.opensGeneration || given == 0 ? opened[id] ?? 0 : given
        let before = transition.opensGeneration ? nil : newest(generation)
        let after = transition.sealed(seq: newestSeq, predecessor: before)
        add(Change(after: after, before: before, opensGeneration: transition.opensGeneration))
      case .dismissal(var dismissal):
        newestSeq += 1
        dismissal.seq = newestSeq
        dismissals.append(dismissal)
      case .forget(let generation): generations.removeAll { $0 == generation }
      case .token(let token):
        newestSeq += 1
        tokens = tokens.filter { $0.value.name != token.name }
        tokens[token.key] = token
      case .revoke(let key):
        newestSeq += 1
        if revocations[key] == nil { revocations[key] = newestSeq }
        tokens[key] = nil
      case .watermark, .outcome, .expireOutcomes, .trial: break
      }
    }
    return Array(changes[first...])
  }

  private mutating func add(_ change: Change) {
    let generation = change.after.generation
    if change.opensGeneration { generations.append(generation) }
    byGeneration[generation, default: []].append(changes.count)
    changes.append(change)
  }

  /// The change that was given this seq.
  func change(_ seq: Seq) -> Change? {
    var low = 0
    var high = changes.count
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].after.seq < seq { low = middle + 1 } else { high = middle }
    }
    return low < changes.count && changes[low].after.seq == seq ? changes[low] : nil
  }

  func newest(_ generation: Generation) -> Activity? {
    byGeneration[generation]?.last.map { changes[$0].after }
  }

  /// A generation as it was when everything up to `seq` was durable; nil: not there yet.
  func activity(_ generation: Generation, at seq: Seq) -> Activity? {
    byGeneration[generation]?.last { changes[$0].after.seq <= seq }.map { changes[$0].after }
  }

  /// Whether a device with this name has dismissed a generation for itself.
  func hasDismissed(
    _ generation: Generation, _ device: String?, upTo seq: Seq = .max
  ) -> Bool {
    guard let device else { return false }
    return dismissals.contains {
      $0.device == device && $0.generation == generation && $0.seq <= seq
    }
  }
}

/// A transaction that became durable.
struct Landing {
  var mutations: [Mutation]
  var seqBefore: Seq
  /// The lowest and the highest reading of the wall clock while it was decided.
  var decided: ClosedRange<Instant>
  /// The highest until it was durable.
  var highestReading: Instant
}
