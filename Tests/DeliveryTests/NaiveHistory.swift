import ActivityCore

/// Every durable change there ever was, to judge what devices are told by.
struct NaiveHistory {
  /// The activity after each change, with its seq; by generation, in order.
  private(set) var changes: [Generation: [Activity]] = [:]
  private var dismissals: [String: Set<Generation>] = [:]
  private var opened: [String: Generation] = [:]

  mutating func landed(_ mutations: [Mutation], after seq: Seq) {
    var seq = seq
    for mutation in mutations {
      switch mutation {
      case .transition(let transition):
        seq += 1
        add(transition, seq: seq)
      case .dismissal(let dismissal):
        seq += 1
        dismissals[dismissal.device, default: []].insert(dismissal.generation)
      case .token, .revoke: seq += 1
      case .watermark, .outcome, .forget, .expireOutcomes, .trial: break
      }
    }
  }

  private mutating func add(_ transition: Transition, seq: Seq) {
    let id = transition.activity.id
    if transition.opensGeneration { opened[id] = seq }
    // An older generation may be dismissed after a newer one was opened; then it is named.
    let given = transition.activity.generation
    let generation = given == 0 ? opened[id]! : given
    let before = changes[generation]?.last
    changes[generation, default: []].append(transition.sealed(seq: seq, predecessor: before))
  }

  /// A generation as it was when everything up to `seq` was durable; nil: not there yet.
  func activity(_ generation: Generation, at seq: Seq) -> Activity? {
    changes[generation]?.last { $0.seq <= seq }
  }

  func newest(_ generation: Generation) -> Activity? { changes[generation]?.last }

  /// Whether a device dismissed a generation for itself.
  func hasDismissed(_ generation: Generation, _ device: String?) -> Bool {
    device.flatMap { dismissals[$0]?.contains(generation) } ?? false
  }

  /// The alert that a version brought.
  func alert(_ generation: Generation, version: Version) -> Alert? {
    changes[generation]?.first { $0.version == version }?.alert
  }
}
