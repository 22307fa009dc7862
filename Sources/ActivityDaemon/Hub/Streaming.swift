internal import ActivityCore
internal import ActivityWire

/// Something long that a session is sent piece by piece, as its socket drains.
enum Part {
  /// Bytes that are complete.
  case line([UInt8])
  /// The receiver is to forget all that it shows; the state follows.
  case reset(ResetReason)
  /// Activities that are gone, which the session hasn't been told: before the state, which may hold
  /// later generations of theirs.
  case overdue(Ranking)
  /// Activities that the session may lack: as a start if it can't know them, with what changed
  /// otherwise.
  case state(Ranking, since: Seq, isResumed: Bool)
  /// Activities that the session is to show no more, for a reason that is the session's own; but
  /// for those it was never told of.
  case dismissals(Ranking, reason: SessionReason)
  /// Tombstones that the session may have missed, and what its device dismissed for itself.
  case gone(Ranking, since: Seq)
  /// The answer to a `list`.
  case listing(Listing)
  /// The answer to a `clients`.
  case clients(ClientListing)
  /// The end of a subscribe.
  case synced
  /// Closes the session, with this reason.
  case bye(ByeReason)

  /// The activities that it tells of, if it does.
  var ranking: Ranking? {
    switch self {
    case .overdue(let ranking), .state(let ranking, _, _), .dismissals(let ranking, _),
      .gone(let ranking, _):
      ranking
    case .listing(let listing): listing.ranking
    case .line, .reset, .clients, .synced, .bye: nil
    }
  }
}

/// A `list` that is being answered.
final class Listing {
  private let list: List
  private let ref: JSONText?
  private let surface: Surface
  private let tellsWriter: Bool
  let ranking: Ranking
  private var count = 0
  private var lastID: String?

  init(
    _ list: List, _ ranking: Ranking, on surface: Surface, tellsWriter: Bool, ref: JSONText?
  ) {
    self.list = list
    self.surface = surface
    self.ranking = ranking
    self.tellsWriter = tellsWriter
    self.ref = ref
  }

  /// Appends the next line; answers whether it was the last one.
  func append(to chunk: inout LineWriter) -> Bool {
    let next = ranking.popFirst()
    if let next, count < list.limit ?? .max {
      chunk.listed(next.activity.shown(on: surface), tellsWriter: tellsWriter, ref: ref)
      count += 1
      lastID = next.activity.id
      return false
    }
    chunk.listed(count: count, after: next == nil ? nil : lastID, ref: ref)
    return true
  }
}

/// What a session that isn't in step has still to be sent.
final class Remainder {
  var dirty = DirtySet()
  /// What waits for the session's pace.
  var paced = DirtySet()
  /// Come before anything dirty.
  var parts: [Part] = []
  /// Lines of state sent since the last subscribe, for its `synced`.
  var stateCount = 0

  var isEmpty: Bool { dirty.isEmpty && paced.isEmpty && parts.isEmpty }

  /// Activities that changed since they were sent.
  var dirtyCount: Int { dirty.count + paced.count }

  /// The seq of an activity's first change unsent; nil if it was sent as it is.
  func firstSeq(of generation: Generation) -> Seq? {
    dirty.seq(of: generation) ?? paced.seq(of: generation)
  }

  func isDirty(_ generation: Generation) -> Bool {
    dirty.contains(generation) || paced.contains(generation)
  }

  /// The smallest seq that waits; nil if none does.
  var firstSeq: Seq? { [dirty.firstSeq, paced.firstSeq].compactMap { $0 }.min() }

  /// Notes a change. One that waited for the pace is looked at anew: it may go now.
  func touch(_ generation: Generation, since seq: Seq, isHigh: Bool) {
    let first = paced.remove(generation) ?? seq
    dirty.insert(generation, seq: first, isHigh: isHigh)
  }

  /// Sends the whole state once more, instead of what changed: before the `synced` that is on its way, or with one of its
  /// own.
  func beginAnew(with ranking: Ranking, because reason: ResetReason) {
    dirty = DirtySet()
    paced = DirtySet()
    if syncedIndex == nil { parts.append(.synced) }
    appendBeforeSynced(.reset(reason))
    appendBeforeSynced(.state(ranking, since: 0, isResumed: false))
  }

  /// Puts a part behind all others, but for the `synced` that may be on its way.
  func appendBeforeSynced(_ part: Part) {
    parts.insert(part, at: syncedIndex ?? parts.endIndex)
  }

  private var syncedIndex: Int? {
    parts.lastIndex { if case .synced = $0 { true } else { false } }
  }

  /// Whether tombstones are still being looked for that it may have missed.
  var isLookingBack: Bool {
    parts.contains { if case .gone(let ranking, _) = $0 { !ranking.isComplete } else { false } }
  }

  /// Takes an activity out; answers the seq of its first change unsent.
  @discardableResult
  func remove(_ generation: Generation) -> Seq? {
    dirty.remove(generation) ?? paced.remove(generation)
  }
}
