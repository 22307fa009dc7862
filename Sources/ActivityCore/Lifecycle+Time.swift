extension Activity {
  /// When time alone changes it next; nil once it is dismissed.
  package var nextDeadline: Instant? {
    switch state {
    case .pending: startDate
    case .active: min(endDate, staleDate ?? endDate)
    case .stale: endDate
    case .ended: dismissalDate
    case .dismissed: nil
    }
  }
}

extension Lifecycle {
  /// The earliest change that time has made due, as of its due time; nil if nothing is due.
  ///
  /// Call again with the result until nil: a long absence makes several changes due. At equal
  /// times the order is start-date, lifetime, stale-date, dismissal.
  package func due(_ current: Activity) -> Transition? {
    guard let deadline = current.nextDeadline, deadline <= now else { return nil }
    var transition: Transition
    switch current.state {
    case .pending: transition = starting(current)
    case .active where current.endDate > deadline:
      transition = changing(current)
      transition.activity.state = .stale
    case .active, .stale:
      transition = changing(current)
      transition.activity.close(at: deadline, dismissalDate: deadline + limits.dismissalMax)
      transition.activity.reason = .lifetime
    case .ended: transition = dismissing(current, because: .ended, at: deadline)
    case .dismissed: preconditionFailure("a dismissed activity has no deadline")
    }
    transition.activity.dueAt = deadline
    transition.activity.changedBy = nil
    return transition
  }

  /// A pending activity's start-date has come.
  private func starting(_ current: Activity) -> Transition {
    var transition = changing(current)
    let isStale = current.staleDate.map { $0 <= current.startDate } ?? false
    transition.activity.state = isStale ? .stale : .active
    if var alert = current.alert {
      alert.version = transition.activity.version
      alert.at = current.startDate
      transition.activity.alert = alert
    }
    transition.entersView = true
    return transition
  }
}
