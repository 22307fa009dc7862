import ActivityCore

/// The coordinator's job done with plain arrays that are searched whole: no indexes, no heap, no
/// counts kept. It trusts the rules on one activity (`Lifecycle`) and the sealing of transitions.
struct NaiveCoordinator {
  struct Staged {
    var batch: Int
    var mutation: Mutation
    /// The activity after it; nil for a removal.
    var activity: Activity?
  }

  let limits: Limits
  /// One per durable generation that isn't forgotten, in order of generation.
  private(set) var rows: [Activity] = []
  private(set) var staged: [Staged] = []
  private var newestGeneration: [String: Generation] = [:]
  /// Of tombstones whose removal could not be stored.
  private var failedRemovals: Set<Generation> = []

  init(limits: Limits) { self.limits = limits }

  // MARK: Reading

  func visible(_ id: String) -> Activity? {
    rows.first { $0.id == id && $0.generation == newestGeneration[id] }
  }

  func newest(_ id: String) -> Activity? {
    let newest = staged.last { $0.activity?.id == id }?.activity ?? visible(id)
    let isLeaving = staged.contains { $0.mutation.forgotten == newest?.generation }
    return newest != nil && isLeaving ? nil : newest
  }

  func shown(in interest: Interest) -> [Activity] {
    rows.filter { $0.state.isShown && interest.holds($0) }.sorted { $0.precedes($1) }
  }

  func dismissed(in interest: Interest, after seq: Seq) -> [Activity] {
    rows.filter { row in
      row.state == .dismissed && row.shownSeq > 0 && row.seq > seq && interest.holds(row)
    }.sorted { $0.seq < $1.seq }
  }

  func listed(_ filter: (Activity) -> Bool) -> [Activity] {
    rows.filter(filter).sorted { $0.precedes($1) }
  }

  func activityCount(among ids: [String]) -> Int {
    ids.filter { id in newest(id).map { $0.state != .dismissed } ?? false }.count
  }

  func nextDeadline(among ids: [String]) -> Instant? {
    (ids.compactMap { newest($0)?.nextDeadline } + removals.map(\.due)).min()
  }

  /// Tombstones whose removal isn't under way. The store may have carried out one that failed, so it
  /// is asked for again at once.
  var removals: [(generation: Generation, due: Instant)] {
    let underWay = Set(staged.compactMap(\.mutation.forgotten))
    return rows.compactMap { row in
      guard let dismissedAt = row.dismissedAt, !underWay.contains(row.generation)
      else { return nil }
      let isTriedAgain = failedRemovals.contains(row.generation)
      return (
        row.generation, isTriedAgain ? Instant(seconds: 0) : dismissedAt + limits.tombstoneKept
      )
    }
  }

  // MARK: Deciding

  mutating func decide(_ command: Command, id: String, ids: [String], batch: Int, at now: Instant)
    -> (decision: Decision, mutations: [Mutation])
  {
    let before = staged.count
    applyDue(id, batch: batch, at: now)
    let isFull = activityCount(among: ids) >= limits.activitiesMax
    let rules = Lifecycle(
      now: now, limits: limits, actor: "tester",
      fullForActivities: isFull ? Refusal(.limitReached, "") : nil)
    let decision = rules.decide(command, id: id, on: newest(id))
    switch decision {
    case .refused, .noop(watermark: nil): break
    case .noop(let watermark?):
      var activity = newest(id)
      activity?.watermark = watermark
      stage(.watermark(id: id, watermark), activity, batch)
    case .applied(let transition, let first, _):
      for transition in [first, transition].compactMap({ $0 }) {
        stage(.transition(transition), transition.activity, batch)
      }
    }
    return (decision, staged[before...].map(\.mutation))
  }

  mutating func advance(ids: [String], batch: Int, at now: Instant) -> [Mutation] {
    let before = staged.count
    for id in ids { applyDue(id, batch: batch, at: now) }
    for removal in removals where removal.due <= now {
      stage(.forget(removal.generation), nil, batch)
    }
    return staged[before...].map(\.mutation)
  }

  private mutating func applyDue(_ id: String, batch: Int, at now: Instant) {
    let rules = Lifecycle(now: now, limits: limits)
    while let activity = newest(id), let transition = rules.due(activity) {
      stage(.transition(transition), transition.activity, batch)
    }
  }

  private mutating func stage(_ mutation: Mutation, _ activity: Activity?, _ batch: Int) {
    staged.append(Staged(batch: batch, mutation: mutation, activity: activity))
  }

  // MARK: Landing

  mutating func land(_ mutation: Mutation, seq: Seq) {
    switch mutation {
    case .transition(let transition):
      let id = transition.activity.id
      let sealed = transition.sealed(seq: seq, predecessor: visible(id))
      rows.removeAll { $0.generation == sealed.generation }
      rows.append(sealed)
      rows.sort { $0.generation < $1.generation }
      newestGeneration[id] = sealed.generation
    case .watermark(let id, let watermark):
      guard let index = rows.firstIndex(where: { $0.generation == newestGeneration[id] })
      else { return }
      rows[index].watermark = watermark
    case .forget(let generation): rows.removeAll { $0.generation == generation }
    case .dismissal, .outcome, .expireOutcomes, .token, .revoke, .trial: break
    }
  }

  mutating func finishLanding(batch: Int) { staged.removeAll { $0.batch <= batch } }

  mutating func dropStaged() {
    failedRemovals.formUnion(staged.compactMap(\.mutation.forgotten))
    staged = []
  }
}
