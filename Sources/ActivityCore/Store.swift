/// One thing that a transaction of the store does.
package enum Mutation: Equatable, Sendable {
  /// Inserts or replaces a generation's row. Takes a seq.
  case transition(Transition)
  /// A device is shown a generation no more. Takes a seq.
  case dismissal(DeviceDismissal)
  /// Sets the watermark of an id's newest generation. Takes no seq.
  case watermark(id: String, Instant)
  /// Keeps a token, in the place of one of the same name or key. Takes a seq.
  case token(Token)
  /// Forgets the token of this key, if there is one. Takes a seq.
  case revoke(key: String)
  /// Keeps the answer to a request that had an idempotency key. Takes no seq. (Indirect: it is much
  /// larger than the others, and rarer.)
  indirect case outcome(KeptOutcome)
  /// Removes a tombstone and raises the floor to its seq. Takes no seq.
  case forget(Generation)
  /// Removes the kept outcomes that expire at or before an instant. Takes no seq.
  case expireOutcomes(Instant)
  /// Writes one row anew, to see whether the store can. Takes no seq.
  case trial
}

/// A device's own dismissal of one generation. It lasts as long as the tombstone.
package struct DeviceDismissal: Equatable, Sendable {
  package var device: String
  package var id: String
  package var generation: Generation
  /// Given by the store.
  package var seq: Seq = 0

  package init(device: String, id: String, generation: Generation, seq: Seq = 0) {
    self.device = device
    self.id = id
    self.generation = generation
    self.seq = seq
  }
}

/// Whose idempotency key it is: a token, a uid or a listener.
package struct OutcomeKey: Hashable, Sendable {
  package var scope: Name
  package var key: Name

  package init(scope: String, key: String) {
    self.scope = Name(scope)
    self.key = Name(key)
  }
}

/// The answer to a request that had an idempotency key, kept for its retries.
package struct KeptOutcome: Equatable, Sendable {
  package var key: OutcomeKey
  /// Of the request's bytes but for `ref`.
  package var request: Digest
  package var expiresAt: Instant
  package var op: String
  package var applied: Bool
  /// What of the request was without effect.
  package var ignored: [String]
  /// What the answer tells. Given to the store without a generation, only `id` counts: the store
  /// copies the rest from that id's newest row at this point of the transaction. Of a device's own
  /// dismissal it only sets `seq`, to the newest at this point.
  package var told: Told

  package init(
    key: OutcomeKey, request: Digest, expiresAt: Instant, op: String, applied: Bool,
    ignored: [String], told: Told
  ) {
    self.key = key
    self.request = request
    self.expiresAt = expiresAt
    self.op = op
    self.applied = applied
    self.ignored = ignored
    self.told = told
  }
}

/// What an answer tells of an activity.
package struct Told: Equatable, Sendable {
  package var id: String
  package var generation: Generation = 0
  package var version: Version = 0
  package var seq: Seq = 0
  package var state: State = .active
  /// The dates still ahead.
  package var startDate: Instant?
  package var staleDate: Instant?
  package var endDate: Instant?
  package var dismissalDate: Instant?

  package init(id: String) { self.id = id }

  /// A device's own dismissal of a generation: it tells no version, since it makes none.
  package init(dismissalOf generation: Generation, id: String) {
    self.id = id
    self.generation = generation
  }

  package var isOwnDismissal: Bool { generation != 0 && version == 0 }

  package init(_ activity: borrowing Activity) {
    id = activity.id
    generation = activity.generation
    version = activity.version
    seq = activity.seq
    state = activity.state
    startDate = activity.state == .pending ? activity.startDate : nil
    staleDate = activity.state == .pending || activity.state == .active ? activity.staleDate : nil
    endDate = activity.state.isLive || activity.state == .pending ? activity.endDate : nil
    dismissalDate = activity.state == .ended ? activity.dismissalDate : nil
  }
}

/// What the store gave to one mutation.
package enum MutationResult: Equatable, Sendable {
  /// A transition, a dismissal or what concerns a token is durable under this seq.
  case seq(Seq)
  /// Done; it takes no seq.
  case done
  /// Somebody else changed the activity first; this is its present row. (SQLite never says so.)
  case conflict(Activity?)
}

/// A durable transaction.
package struct Committed: Equatable, Sendable {
  /// The newest seq before this transaction. More than the caller knows of: an earlier
  /// transaction that was reported as failed did land.
  package var seqBefore: Seq
  /// One for each mutation, in order.
  package var results: [MutationResult]

  package init(seqBefore: Seq, results: [MutationResult]) {
    self.seqBefore = seqBefore
    self.results = results
  }
}

/// What a store tells of itself when it is opened.
package struct StoreIdentity: Equatable, Sendable {
  /// New with every new or restored store; short, `[0-9a-z]`.
  package var epoch: String
  package var lastSeq: Seq
  /// The highest seq of a removed tombstone; cursors below it can't be resumed.
  package var floor: Seq

  package init(epoch: String, lastSeq: Seq, floor: Seq) {
    self.epoch = epoch
    self.lastSeq = lastSeq
    self.floor = floor
  }
}

/// One stored item, as `Store.load` and `Store.changes` hand it out.
package enum StoredItem: Equatable, Sendable {
  case activity(Activity)
  case dismissal(DeviceDismissal)
  case outcome(KeptOutcome)
  case token(Token)
}

/// An operation of the store failed.
package struct StoreError: Error, Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// It may work later: a full disk, an I/O error, a lock.
    case unavailable
    /// No retry cures it: a corrupt file, a schema of the future.
    case unusable
  }
  package var kind: Kind
  /// For the log; never holds content.
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

/// Keeps activities durably. Used from one thread at a time.
///
/// Whoever can read seq n can read all below. `Tests` hold a conformance suite for it.
package protocol Store: AnyObject {
  /// Read when it was opened.
  var identity: StoreIdentity { get }

  /// Hands out everything stored: activities with their tombstones in order of generation, then
  /// dismissals, outcomes, and tokens in order of their keys.
  func load(_ receive: (StoredItem) -> Void) throws(StoreError)

  /// Carries the mutations out in order, all or none; durable when it returns.
  ///
  /// A transition's `activity.generation` of 0 with `opensGeneration` false means the generation
  /// opened earlier in these mutations for the same id. After a throw the outcome is unknown.
  func commit(_ mutations: [Mutation]) throws(StoreError) -> Committed

  /// Hands out the activities and dismissals whose seq is above `seq`, in order of seq, and the
  /// outcomes whose told seq is; and then all tokens, since one that is revoked leaves no trace.
  func changes(after seq: Seq, _ receive: (StoredItem) -> Void) throws(StoreError)
}
