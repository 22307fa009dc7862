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
  var activitiesByPublisher: [String: Int] = [:]
  var counts = StateCounts()
  /// Whose changes are staged, in their order: an id is there once for each change.
  var stagedSubjects: [Subject] = []
  /// So many of the first of them have landed.
  var landedCount = 0
  /// Of which something landed last: mostly it is what is asked for next.
  var landed: Subject?
  /// Tombstones whose removal is staged.
  var leaving: [Row] = []
  /// The newest batch of which something has landed.
  var landedBatch = 0

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

  func count(_ subject: Subject, before: String?) {
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
