/// All activities, and the only place where they are decided on.
///
/// Theory of operation. Each id has a *visible* state (on disk; what everybody reads) and, while a
/// batch is under way, a *staged* one (decided, not yet durable). Commands and deadlines are
/// decided on the staged state and give transitions; when the batch that holds them is durable,
/// `land` makes them visible, in the order in which they were decided. Undoing is dropping what
/// is staged.
///
/// Invariants: the indexes by channel and type hold exactly the visible rows that aren't
/// dismissed; the deadline queue holds each id's next deadline as of its staged state, and each
/// tombstone's removal; an id has at most one generation that isn't dismissed.
///
/// No clock, no randomness, no I/O. One thread.
package final class Coordinator {
  package var limits: Limits { didSet { boxedLimits = Box(limits) } }
  private var boxedLimits: Box<Limits>
  /// The number of the batch that gathers now; what is decided belongs to it.
  package var batch = 1

  var subjects: [Name: Subject] = [:]
  var rows: [Generation: Row] = [:]
  var byChannel: [Name: Set<Generation>] = [:]
  var byType: [Name: Set<Generation>] = [:]
  /// Dismissed rows in order of the seq of their dismissal, forgotten ones included until they
  /// reach the front.
  var tombstones: [Row] = []
  /// So many of the first tombstones are forgotten.
  var forgottenCount = 0
  var deadlines = DeadlineQueue()
  var outcomes = Outcomes()
  /// Ids whose newest generation isn't dismissed, staged ones included.
  package internal(set) var activityCount = 0
  /// The same by who started them.
  private var activitiesByPublisher: [String: Int] = [:]
  var counts = StateCounts()
  /// Whose changes are staged, in their order: an id is there once for each change.
  private var stagedSubjects: [Subject] = []
  /// So many of the first of them have landed.
  private var landedCount = 0
  /// Of which something landed last: mostly it is what is asked for next.
  private var landed: Subject?
  /// Tombstones whose removal is staged.
  private var leaving: [Row] = []
  /// The newest batch of which something has landed.
  private var landedBatch = 0

  package init(limits: Limits) {
    self.limits = limits
    boxedLimits = Box(limits)
  }

  /// When time alone changes or removes something next.
  package var nextDeadline: Instant? {
    guard let expiry = outcomes.nextExpiry else { return deadlines.next }
    return min(expiry, deadlines.next ?? expiry)
  }
}

/// What a command came to.
package struct Verdict {
  package var outcome: Outcome
  /// What of the request was without effect.
  package var ignored: [String] = []
  /// The batch whose state it was decided on; the answer leaves with it. Nil: a durable state.
  package var batch: Int?

  package enum Outcome: Equatable, Sendable {
    case refused(Refusal)
    case noop
    case applied
  }
}

// MARK: - Deciding

extension Coordinator {
  /// Decides a command on the newest state of its id and stages what it comes to.
  ///
  /// - Parameters:
  ///   - actor: Who asks.
  ///   - reach: What the actor may read and publish; nil for everything.
  ///   - mutations: What the store must do is put behind them, in order: due changes of the
  ///     activity first, then the command's own.
  package func decide(
    _ command: Command, id: String, actor: String?, within reach: Reach? = nil,
    keepsOutcome: Bool = false, at now: Instant, into mutations: inout [Mutation]
  ) -> Verdict {
    var verdict = Verdict(outcome: .noop)
    let subject = subjects[Name(id)] ?? Subject(id: id)
    stageDue(subject, at: now, into: &mutations)

    var rules = Lifecycle(now: now, limits: boxedLimits, actor: actor)
    rules.reach = reach
    rules.fullForActivities = refusal(of: command, by: actor).map { Box($0) }
    if keepsOutcome { rules.fullForOutcomes = refusalOfOutcome.map { Box($0) } }
    switch rules.decide(command, id: id, on: subject.newest) {
    case .refused(let refusal):
      verdict.outcome = .refused(refusal)
    case .noop(let watermark):
      if let watermark, var activity = subject.newest {
        activity.watermark = watermark
        stage(Box(activity), of: subject)
        mutations.append(.watermark(id: id, watermark))
      }
    case .applied(let transition, let first, let ignored):
      verdict.outcome = .applied
      verdict.ignored = ignored
      if let first { stage(first, of: subject, into: &mutations) }
      stage(transition, of: subject, into: &mutations)
    }
    if subject.staged != nil { verdict.batch = subject.stagedBatch }
    return verdict
  }

  /// Why no further activity can be started now, if that is so.
  private func refusal(of command: Command, by publisher: String?) -> Refusal? {
    guard case .start = command else { return nil }
    if activityCount >= limits.activitiesMax {
      return .limitReached(.activities, "there are \(limits.activitiesMax) activities already")
    }
    guard let limit = limits.activitiesPerPublisherMax, let publisher,
      activitiesByPublisher[publisher] ?? 0 >= limit
    else { return nil }
    return .limitReached(
      .activitiesPerPublisher, "\(publisher) has started \(limit) activities already")
  }

  /// Stages what time has made due, at most about `limit` changes, earliest first.
  ///
  /// - Returns: what the store must do; call again while `nextDeadline` is due.
  package func advance(to now: Instant, limit: Int) -> [Mutation] {
    var mutations: [Mutation] = []
    while mutations.count < limit, let item = deadlines.first(dueAt: now) {
      if let subject = item as? Subject {
        stageDue(subject, at: now, into: &mutations)
      } else if let row = item as? Row {
        deadlines.set(row, to: nil)
        row.isLeaving = true
        leaving.append(row)
        mutations.append(.forget(row.activity.generation))
      }
    }
    if let expired = outcomes.nextExpiry, expired <= now, mutations.count < limit {
      mutations.append(.expireOutcomes(now))
      outcomes.stageExpiry()
    }
    return mutations
  }

  private func stageDue(_ subject: Subject, at now: Instant, into mutations: inout [Mutation]) {
    guard let due = deadlines.instant(of: subject), due <= now else { return }
    let rules = Lifecycle(now: now, limits: boxedLimits)
    let before = mutations.count
    while let activity = subject.newest, let transition = rules.due(activity) {
      stage(transition, of: subject, into: &mutations)
    }
    precondition(mutations.count > before, "a deadline was due, but nothing was")
  }

  private func stage(
    _ transition: Transition, of subject: Subject, into mutations: inout [Mutation]
  ) {
    stage(transition.boxed, of: subject)
    mutations.append(.transition(transition))
  }

  private func stage(_ activity: Box<Activity>, of subject: Subject) {
    let wasActivity = subject.isActivity
    let isActivity = activity.value.state != .dismissed
    // It stays its publisher's up to its dismissal.
    let publisher = wasActivity && !isActivity ? subject.publisher : nil
    if subject.staged == nil, subject.row == nil { subjects[Name(subject.id)] = subject }
    stagedSubjects.append(subject)
    subject.staged = activity
    subject.stagedBatch = batch
    if wasActivity != isActivity { count(subject, before: publisher) }
    deadlines.set(subject, to: activity.value.nextDeadline)
  }

  private func count(_ subject: Subject, before: String?) {
    let publisher = subject.publisher
    guard publisher != before else { return }
    if let before {
      activityCount -= 1
      let left = activitiesByPublisher[before, default: 1] - 1
      activitiesByPublisher[before] = left > 0 ? left : nil
    }
    if let publisher {
      activityCount += 1
      activitiesByPublisher[publisher, default: 0] += 1
    }
  }
}

// MARK: - Becoming durable, or not

extension Coordinator {
  /// Makes a durable transition visible.
  ///
  /// - Returns: the row that readers see from now on.
  package func land(_ transition: Transition, seq: Seq, batch: Int) -> Row {
    let subject = nextStaged(transition.id)
    landedBatch = batch
    return show(transition.sealed(seq: seq, over: subject.row), of: subject)
  }

  /// Makes a durable watermark visible.
  package func land(watermark: Instant, id: String, batch: Int) {
    landedBatch = batch
    nextStaged(id).row?.activity.watermark = watermark
  }

  /// Whose change lands now: it is the first one staged that hasn't landed yet.
  private func nextStaged(_ id: String) -> Subject {
    let subject = stagedSubjects[landedCount]
    precondition(Name(subject.id) == Name(id), "changes land in the order of their staging")
    landedCount += 1
    landed = subject
    return subject
  }

  /// The newest durable generation of an id, its tombstone too; nil if there is none.
  package func row(of id: String) -> Row? {
    if let landed, Name(landed.id) == Name(id) { return landed.row }
    return subjects[Name(id)]?.row
  }

  /// A tombstone is removed for good.
  package func land(forget generation: Generation) {
    guard let row = rows.removeValue(forKey: generation) else { return }
    row.isForgotten = true
    landed = nil
    deadlines.set(row, to: nil)
    let id = row.activity.id
    if let subject = subjects[Name(id)], subject.row === row, subject.staged == nil {
      subjects[Name(id)] = nil
    } else if let subject = subjects[Name(id)], subject.row === row {
      subject.row = nil
    }
    counts[row.activity.state] -= 1
    while forgottenCount < tombstones.count, tombstones[forgottenCount].isForgotten {
      forgottenCount += 1
    }
    if forgottenCount > 1_024, forgottenCount * 2 > tombstones.count {
      tombstones.removeFirst(forgottenCount)
      forgottenCount = 0
    }
  }

  /// Forgets all that is decided but not durable: the batches it was for have failed.
  package func dropStaged() {
    for subject in stagedSubjects {
      guard subject.staged != nil else { continue }
      let publisher = subject.publisher
      subject.staged = nil
      count(subject, before: publisher)
      if subject.row == nil { subjects[Name(subject.id)] = nil }
      deadlines.set(subject, to: subject.row?.activity.nextDeadline)
    }
    stagedSubjects.removeAll(keepingCapacity: true)
    landedCount = 0
    for row in leaving where !row.isForgotten {
      row.isLeaving = false
      // At once, whatever the clock says then: the store may have forgotten it already.
      deadlines.set(row, to: Instant(seconds: 0))
    }
    leaving.removeAll()
    outcomes.dropStaged()
  }

  /// Makes room for so many activities, all at once instead of by doubling.
  package func reserveRoom(for count: Int) {
    subjects.reserveCapacity(count)
    rows.reserveCapacity(count)
    deadlines.reserveRoom(for: count)
  }

  /// Takes a row as the store holds it: at the start, or when a batch that seemed to have failed
  /// turns out to have landed. Nothing may be staged.
  ///
  /// - Returns: the row that readers see from now on.
  @discardableResult
  package func restore(_ activity: Activity) -> Row {
    let subject = subjects[Name(activity.id)] ?? Subject(id: activity.id)
    let publisher = subject.publisher
    let row = show(activity, of: subject)
    count(subject, before: publisher)
    deadlines.set(subject, to: subject.row?.activity.nextDeadline)
    return row
  }

  /// After the last `restore` at the start: puts tombstones in order.
  package func finishRestoring() {
    tombstones.sort { $0.activity.seq < $1.activity.seq }
    outcomes.finishRestoring()
  }

  /// After the last `land` of a batch: what was staged for it is visible now.
  ///
  /// Not earlier: between the changes of one id its tombstone may be removed, and the id must not
  /// be lost with it.
  package func finishLanding() {
    for subject in stagedSubjects[..<landedCount]
    where subject.staged != nil && subject.stagedBatch <= landedBatch {
      subject.staged = nil
      // Its tombstone was removed while a new watermark for it was on its way.
      if subject.row == nil { subjects[Name(subject.id)] = nil }
    }
    stagedSubjects.removeFirst(landedCount)
    landedCount = 0
    landed = nil
    outcomes.finishLanding()
  }

  private func show(_ activity: consuming Activity, of subject: Subject) -> Row {
    let row: Row
    let (generation, state) = (activity.generation, activity.state)
    let newest = subject.row?.activity.generation ?? 0
    if let known = newest == generation ? subject.row : rows[generation] {
      row = known
      let before = row.activity.state
      if state == .dismissed, before != .dismissed {
        unlist(row)
        tombstones.append(row)
      }
      counts[before] -= 1
      row.activity = consume activity
    } else {
      row = Row(consume activity)
      rows[generation] = row
      if state == .dismissed { tombstones.append(row) } else { list(row) }
    }
    counts[state] += 1
    if state == .dismissed { scheduleForgetting(row) }
    if newest < generation {
      row.olderGeneration = newest
      subject.row = row
      subjects[Name(subject.id)] = subject
    }
    return row
  }

  private func scheduleForgetting(_ row: Row) {
    let dismissedAt = row.activity.dismissedAt ?? row.activity.startDate
    deadlines.set(row, to: dismissedAt + limits.tombstoneKept)
  }

  private func list(_ row: Row) {
    let generation = row.activity.generation
    byType[Name(row.activity.attributesType), default: []].insert(generation)
    for channel in row.activity.channels {
      byChannel[Name(channel), default: []].insert(generation)
    }
  }

  private func unlist(_ row: Row) {
    let generation = row.activity.generation
    byType.withoutKey(Name(row.activity.attributesType), generation)
    for channel in row.activity.channels { byChannel.withoutKey(Name(channel), generation) }
  }
}

extension Dictionary where Value == Set<Generation> {
  /// Takes the generation out of one set, and the set out when it is empty.
  fileprivate mutating func withoutKey(_ key: Key, _ generation: Generation) {
    self[key]?.remove(generation)
    if self[key]?.isEmpty ?? false { self[key] = nil }
  }
}
