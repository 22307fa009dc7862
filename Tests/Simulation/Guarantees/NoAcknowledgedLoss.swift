import ActivityCore
import TestSupport

/// What was answered with `ok` is there when the store is opened again.
struct NoAcknowledgedLoss: Guarantee {
  static let name = "no-acknowledged-loss"

  private var versions: [Generation: Version] = [:]
  private var dismissals: Set<Dismissal> = []
  /// Keys of tokens.
  private var tokens: Set<String> = []
  private var revokedTokens: Set<String> = []

  private struct Dismissal: Hashable {
    var device: String
    var generation: Generation
  }

  init() {}

  mutating func observe(_ observation: Observation, _ model: Model) throws {
    switch observation {
    case .told(let party, let line, _): acknowledge(line, to: party, model)
    case .landed(let landing):
      for case .forget(let generation) in landing.mutations {
        versions[generation] = nil
        dismissals = dismissals.filter { $0.generation != generation }
      }
    case .reopened(let items):
      try check(items)
      try checkTokens(items, model.history)
    default: break
    }
  }

  private mutating func acknowledge(_ line: Line, to party: Party, _ model: Model) {
    if let token = model.tokenAdded(by: line) { tokens.insert(token.key) }
    revokedTokens.formUnion(model.tokensRevoked(by: line).map(\.key))
    // Its tombstone may be gone before a slow reader is told.
    guard line.operation != nil, let subject = line.subject,
      model.history.generations.contains(subject.generation)
    else { return }
    if let version = subject.version, subject.seq != nil {
      guard versions[subject.generation] ?? 0 < version else { return }
      versions[subject.generation] = version
    } else if line.operation == "dismiss", let device = party.name {
      guard line.members["outcome"]?.string == "applied", line.members["replayed"] == nil
      else { return }
      dismissals.insert(Dismissal(device: device, generation: subject.generation))
    }
  }

  private func check(_ items: [StoredItem]) throws {
    var stored: [Generation: Version] = [:]
    var kept: Set<Dismissal> = []
    for item in items {
      switch item {
      case .activity(let activity): stored[activity.generation] = activity.version
      case .dismissal(let dismissal):
        kept.insert(Dismissal(device: dismissal.device, generation: dismissal.generation))
      case .outcome, .token: break
      }
    }
    for (generation, version) in versions {
      try demand(
        stored[generation] ?? 0 >= version,
        "version \(version) of \(generation) was acknowledged, \(stored[generation] ?? 0) is left")
    }
    for dismissal in dismissals {
      try demand(kept.contains(dismissal), "an acknowledged dismissal is gone: \(dismissal)")
    }
  }

  private func checkTokens(_ items: [StoredItem], _ history: History) throws {
    var stored: Set<String> = []
    for case .token(let token) in items { stored.insert(token.key) }
    for key in tokens where history.tokens[key] != nil {
      try demand(stored.contains(key), "the token \(key) was acknowledged, and is gone")
    }
    try demand(stored.isDisjoint(with: revokedTokens), "a token is back that was revoked")
  }
}
