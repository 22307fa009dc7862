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
    var activity = current
    switch current.state {
    case .pending: activity.start()
    case .active where current.endDate > deadline: activity.state = .stale
    case .active, .stale:
      activity.close(at: deadline, dismissalDate: deadline + limits.dismissalMax)
      activity.reason = .lifetime
    case .ended: activity.dismiss(because: .ended, at: deadline)
    case .dismissed: preconditionFailure("a dismissed activity has no deadline")
    }
    var transition = changing(activity, dueAt: deadline)
    transition.entersView = current.state == .pending
    return transition
  }
}

extension Activity {
  /// Its start-date has come: the next version is shown.
  fileprivate mutating func start() {
    let isStale = staleDate.map { $0 <= startDate } ?? false
    state = isStale ? .stale : .active
    if var alert {
      alert.version = version + 1
      alert.at = startDate
      self.alert = alert
    }
  }
}
