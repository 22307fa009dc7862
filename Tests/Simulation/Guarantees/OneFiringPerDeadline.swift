import ActivityCore

/// Each deadline takes effect once, not before its time, and with its due time told.
struct OneFiringPerDeadline: Guarantee {
  static let name = "one-firing-per-deadline"

  private enum Deadline: Hashable { case start, stale, lifetime, dismissal }

  private struct Firing: Hashable {
    var generation: Generation
    var deadline: Deadline
    /// The version in which somebody set the deadline.
    var promise: Version
  }

  private var fired: Set<Firing> = []
  /// The newest version of each generation that wasn't made by a deadline.
  private var promises: [Generation: Version] = [:]

  init() {}

  mutating func observe(_ observation: Observation, _ model: Model) throws {
    switch observation {
    case .landed(let landing):
      for change in model.landed { try check(change, by: landing.decided.upperBound) }
    case .told(_, let line, _): try check(line, model)
    case .rested: try checkNothingIsDue(model)
    default: break
    }
  }

  private mutating func check(_ change: History.Change, by now: Instant) throws {
    let after = change.after
    guard let due = after.dueAt else {
      promises[after.generation] = after.version
      return
    }
    guard let before = change.before, let (deadline, date) = deadline(from: before, to: after)
    else { throw Violation(Self.self, "no deadline makes \(after.id) \(after.state)") }
    try demand(due == date, "\(deadline) of \(after.id) was due at \(date), not at \(due)")
    try demand(due <= now, "\(deadline) of \(after.id), due at \(due), fired at \(now)")
    let firing = Firing(
      generation: after.generation, deadline: deadline,
      promise: promises[after.generation] ?? 0)
    try demand(fired.insert(firing).inserted, "\(deadline) of \(after.id) fired twice")
  }

  private func deadline(from before: Activity, to after: Activity) -> (Deadline, Instant)? {
    switch (before.state, after.state) {
    case (.pending, .active), (.pending, .stale): (.start, before.startDate)
    case (.active, .stale): before.staleDate.map { (.stale, $0) }
    case (.active, .ended), (.stale, .ended): (.lifetime, before.endDate)
    case (.ended, .dismissed): before.dismissalDate.map { (.dismissal, $0) }
    default: nil
    }
  }

  /// What a line says of the newest change is how it came about.
  private func check(_ line: Line, _ model: Model) throws {
    guard line.tellsState, line.event != nil, let subject = line.subject,
      let change = subject.seq.flatMap({ model.history.change($0) })
    else { return }
    try demand(subject.dueAt == change.after.dueAt, "told with another due time: \(line.text)")
  }

  private func checkNothingIsDue(_ model: Model) throws {
    for generation in model.history.generations {
      guard let activity = model.history.newest(generation) else { continue }
      let next: Instant? =
        switch activity.state {
        case .pending: activity.startDate
        case .active: min(activity.staleDate ?? activity.endDate, activity.endDate)
        case .stale: activity.endDate
        case .ended: activity.dismissalDate
        case .dismissed: nil
        }
      guard let next else { continue }
      try demand(
        next > model.now,
        "a deadline of \(activity.id), \(activity.state), due at \(next), never fired by \(model.now)"
      )
    }
  }
}
