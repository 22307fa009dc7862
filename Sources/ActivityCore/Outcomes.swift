/// The answers kept for requests with an idempotency key, so that a retry is answered alike.
struct Outcomes {
  private enum Entry {
    /// Decided, not durable yet.
    case staged(request: Digest, batch: Int)
    case kept(KeptOutcome)
  }

  private var entries: [OutcomeKey: Entry] = [:]
  /// Durable keys, the one that expires first in front; `head` are gone.
  private var expiring: [(at: Instant, key: OutcomeKey)] = []
  private var head = 0
  private var staged: [OutcomeKey] = []
  /// The removal of the expired is on its way to disk.
  private var isExpiring = false

  var count: Int { entries.count }

  /// When the store should be asked to remove some: a minute after the first expired, so that
  /// they go together.
  var nextExpiry: Instant? {
    head < expiring.count && !isExpiring ? expiring[head].at + .minutes(1) : nil
  }

  func recall(_ key: OutcomeKey, request: Digest, at now: Instant) -> Recollection {
    switch entries[key] {
    case nil: .none
    case .staged(let first, let batch): first == request ? .staged(batch: batch) : .conflict
    case .kept(let outcome):
      if outcome.expiresAt <= now {
        .none
      } else if outcome.request == request {
        .kept(outcome)
      } else {
        .conflict
      }
    }
  }

  func kept(_ key: OutcomeKey) -> KeptOutcome? {
    if case .kept(let outcome) = entries[key] { outcome } else { nil }
  }

  mutating func stage(_ key: OutcomeKey, request: Digest, batch: Int) {
    entries[key] = .staged(request: request, batch: batch)
    staged.append(key)
  }

  mutating func land(_ outcome: KeptOutcome) {
    entries[outcome.key] = .kept(outcome)
    expiring.append((outcome.expiresAt, outcome.key))
  }

  mutating func dropStaged() {
    for key in staged {
      if case .staged = entries[key] { entries[key] = nil }
    }
    staged.removeAll()
    isExpiring = false
  }

  mutating func finishLanding() {
    staged.removeAll { key in
      if case .staged = entries[key] { false } else { true }
    }
  }

  mutating func stageExpiry() { isExpiring = true }

  /// Forgets those that have expired at `now`: not before that is durable, since answers that were
  /// decided before may still tell of them.
  mutating func expire(at now: Instant) {
    isExpiring = false
    while head < expiring.count, expiring[head].at <= now {
      let key = expiring[head].key
      if case .kept(let outcome) = entries[key], outcome.expiresAt <= now { entries[key] = nil }
      head += 1
    }
    if head > 1_024, head * 2 > expiring.count {
      expiring.removeFirst(head)
      head = 0
    }
  }

  /// After the last `land` at the start: puts them in order of expiry.
  mutating func finishRestoring() {
    expiring.sort { $0.at < $1.at }
  }
}

/// What is remembered of an idempotency key.
package enum Recollection: Equatable, Sendable {
  case none
  /// The same request was decided in this batch, which isn't durable yet: it shares its fate.
  case staged(batch: Int)
  case kept(KeptOutcome)
  /// Another request had this key.
  case conflict
}

extension Coordinator {
  /// What is known of a request's idempotency key.
  package func recall(_ key: OutcomeKey, request: Digest, at now: Instant) -> Recollection {
    outcomes.recall(key, request: request, at: now)
  }

  /// Why no further outcome can be kept; nil while there is room.
  package var refusalOfOutcome: Refusal? {
    guard outcomes.count >= limits.outcomesMax else { return nil }
    return .limitReached(
      .outcomes, "there are \(limits.outcomesMax) idempotency keys in use already",
      key: "idempotency-key")
  }

  /// Remembers that a request with this key is part of the batch that gathers now.
  package func stage(_ key: OutcomeKey, request: Digest) {
    outcomes.stage(key, request: request, batch: batch)
  }

  /// The outcome is durable, as the store has it.
  package func land(_ outcome: KeptOutcome) {
    outcomes.land(outcome)
  }

  /// The removal of the expired is durable.
  package func land(expiryAt now: Instant) {
    outcomes.expire(at: now)
  }

  /// The durable outcome kept under a key.
  package func kept(_ key: OutcomeKey) -> KeptOutcome? { outcomes.kept(key) }
}
