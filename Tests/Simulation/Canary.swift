import ActivityCore
import ActivityWire

/// A fault that is planted to see that the guarantee it breaks notices.
package struct Canary: Sendable {
  /// Which guarantee must notice.
  package let guarantee: String
  /// What is planted.
  package let fault: String
  private let kind: any Guarantee.Type
  private let plant: @Sendable (Simulation) -> Void

  private init(
    _ kind: any Guarantee.Type, _ fault: String, plant: @escaping @Sendable (Simulation) -> Void
  ) {
    guarantee = kind.name
    self.fault = fault
    self.kind = kind
    self.plant = plant
  }

  /// A fault in what the guarantee is told; nil: nothing is changed here.
  private init(
    _ kind: any Guarantee.Type, _ fault: String,
    telling change: @escaping @Sendable (Observation) -> [Observation]?
  ) {
    self.init(kind, fault) { $0.fault = change }
  }

  /// Runs simulations with the fault, up to 4,000 steps; answers how it was noticed, if it was.
  package func notice() throws -> Simulation.Failure? {
    for seed in 1...10 as ClosedRange<UInt64> {
      let simulation = Simulation(seed: seed, guarantees: [kind])
      plant(simulation)
      do {
        try simulation.run(steps: 400)
      } catch let failure as Simulation.Failure where failure.violation?.guarantee == guarantee {
        return failure
      }
    }
    return nil
  }
}

extension Canary: CustomStringConvertible {
  package var description: String { "\(guarantee): \(fault)" }
}

extension Canary {
  /// At least one for each guarantee.
  package static let all: [Canary] = [
    Canary(DurableThenVisible.self, "lines leave before the commit") {
      guard case .told(let party, let line, let durable) = $0, durable > 0 else { return nil }
      return [.told(party, line, durable: durable - 1)]
    },
    Canary(DurableThenVisible.self, "what is told isn't what was written") {
      guard case .told(let party, var line, let durable) = $0, line.tellsState else { return nil }
      line.subject?.contentState = Array("0".utf8)
      return [.told(party, line, durable: durable)]
    },
    Canary(NoAcknowledgedLoss.self, "the last commit is lost with the power") {
      $0.committer.losesTheLastCommit = true
    },
    Canary(MonotonicVersions.self, "an older version follows a newer one") {
      guard case .told(let party, let line, let durable) = $0, line.event == "update" else {
        return nil
      }
      var older = line
      older.subject?.version? -= 1
      return [$0, .told(party, older, durable: durable)]
    },
    Canary(AbsorbingEnd.self, "what has ended is told as active") {
      guard case .told(let party, let line, let durable) = $0, line.event == "end" else {
        return nil
      }
      var revived = line
      revived.subject?.state = "active"
      return [$0, .told(party, revived, durable: durable)]
    },
    Canary(OneFiringPerDeadline.self, "deadlines fire a microsecond early") {
      guard case .landed(var landing) = $0, let due = landing.earliestDue else { return nil }
      let early = due - TimeSpan(microseconds: 1)
      landing.decided = early...early
      return [.landed(landing)]
    },
    Canary(OneFiringPerDeadline.self, "deadlines fire twice") {
      guard case .landed(let landing) = $0, landing.earliestDue != nil else { return nil }
      return [$0, $0]
    },
    Canary(ConflationEndsInTheTruth.self, "dismissals are swallowed") {
      guard case .heard(_, let line) = $0, line.event == "dismiss" else { return nil }
      return []
    },
    Canary(CursorSoundness.self, "lines below a cursor are swallowed") {
      guard case .heard(_, let line) = $0, line.isActivityEvent, line.cursor == nil else {
        return nil
      }
      return []
    },
    Canary(ExactlyOnceIdempotency.self, "kept outcomes aren't written") {
      $0.committer.alter = { if case .outcome = $0 { .trial } else { $0 } }
    },
    Canary(TotalRelevanceOrder.self, "the items of a list come in another order") { simulation in
      var kept: Observation?
      simulation.fault = { observation in
        guard case .told(_, let line, _) = observation, line.kind == .item else { return nil }
        guard let first = kept else {
          kept = observation
          return []
        }
        kept = nil
        return [observation, first]
      }
    },
    Canary(BytesPassThrough.self, "a number loses its last digit") {
      guard case .told(let party, var line, let durable) = $0, line.isActivityEvent,
        let digit = line.subject?.contentState?.lastIndex(where: { 0x30...0x39 ~= $0 })
      else { return nil }
      line.subject?.contentState?.remove(at: digit)
      return [.told(party, line, durable: durable)]
    },
    Canary(NoSilentRefusal.self, "refusals are swallowed") {
      guard case .told(_, let line, _) = $0, case .refused = line.kind else { return nil }
      return []
    },
    Canary(Privacy.self, "what a token reaches is forgotten with a restart") {
      $0.committer.alter = {
        guard case .token(var token) = $0 else { return $0 }
        token.reach = Reach()
        return .token(token)
      }
    },
    Canary(Privacy.self, "what is sensitive is forgotten with a restart") {
      $0.committer.alter = {
        guard case .transition(var transition) = $0 else { return $0 }
        transition.activity.sensitive = []
        return .transition(transition)
      }
    },
    Canary(Privacy.self, "whose token has ended stays") {
      guard case .closed = $0 else { return nil }
      return []
    },
    Canary(BoundedMemory.self, "everything missed is kept") {
      guard case .buffered(let party, let bytes) = $0 else { return nil }
      return [.buffered(party, bytes: bytes * 1_000)]
    },
  ]
}

extension Landing {
  /// The due time of its first change by a deadline.
  fileprivate var earliestDue: Instant? {
    mutations.compactMap { mutation in
      if case .transition(let transition) = mutation { transition.activity.dueAt } else { nil }
    }.min()
  }
}
