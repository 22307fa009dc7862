extension Lifecycle {
  /// Ends a live activity; brings the dismissal of an ended one forward; cancels a pending one.
  func end(_ end: End, id: String, on current: Activity?) throws(Refusal) -> Decision {
    guard let current else { throw unknown(id) }
    if current.state == .ended { try checkStaysEnded(end, current) }
    let instant = try instantOfEnding(end.timestamp, ifVersion: end.ifVersion, on: current)
    switch current.state {
    case .dismissed:
      return noop(at: instant, on: current)
    case .ended:
      return bringForward(end.dismissal, of: current, at: instant)
    case .pending:
      return .applied(dismissing(raised(current, to: instant), because: .cancelled, at: now))
    case .active, .stale:
      return try close(current, as: end, at: instant)
    }
  }

  /// Takes it away at once, whatever it is.
  func cancel(_ cancel: Cancel, id: String, on current: Activity?) throws(Refusal) -> Decision {
    guard let current else { throw unknown(id) }
    let instant = try instantOfEnding(cancel.timestamp, ifVersion: cancel.ifVersion, on: current)
    guard current.state != .dismissed else { return noop(at: instant, on: current) }
    return .applied(dismissing(raised(current, to: instant), because: cancel.reason, at: now))
  }

  /// Ends a live activity; with a dismissal at once, it is dismissed in the same change.
  private func close(_ current: Activity, as end: End, at instant: Instant) throws(Refusal)
    -> Decision
  {
    let mark = watermark(of: current)
    let isLate = mark.map { mark in end.timestamp?.isOlder(than: mark) ?? false } ?? false
    var activity = raised(current, to: instant)
    if let content = end.contentState, !isLate { activity.contentState = content }
    if let content = end.alert { activity.alert = alert(content, on: activity) }
    try checkSize(of: activity)
    let dismissalDate = dismissalDate(end.dismissal ?? .byDefault, endedAt: now)
    activity.close(at: now, dismissalDate: dismissalDate)
    let isGone = dismissalDate <= now
    let transition =
      isGone ? dismissing(activity, because: .ended, at: now) : changing(activity)
    let ignored = isLate && end.contentState != nil ? ["content-state"] : []
    return .applied(transition, ignored: ignored)
  }

  /// What is ended stays ended; only its dismissal may come earlier.
  private func checkStaysEnded(_ end: End, _ current: Activity) throws(Refusal) {
    if let content = end.contentState, content != current.contentState {
      throw Refusal(
        .ended, "this activity is ended already; its final content-state stays",
        key: "content-state", version: current.version)
    }
    if let wanted = newDismissalDate(end.dismissal, of: current),
      let present = current.dismissalDate, wanted > present
    {
      throw Refusal(
        .ended, "this activity is ended already; its dismissal can only be brought forward",
        key: "dismissal-date", version: current.version)
    }
  }

  private func bringForward(_ dismissal: Dismissal?, of current: Activity, at instant: Instant)
    -> Decision
  {
    guard let wanted = newDismissalDate(dismissal, of: current), wanted != current.dismissalDate
    else { return noop(at: instant, on: current) }
    var activity = raised(current, to: instant)
    guard wanted > now else {
      return .applied(dismissing(activity, because: .ended, at: now))
    }
    activity.dismissalDate = wanted
    return .applied(changing(activity))
  }

  private func newDismissalDate(_ dismissal: Dismissal?, of current: Activity) -> Instant? {
    dismissal.map { dismissalDate($0, endedAt: current.endedAt ?? now) }
  }

  /// When an activity that ended at `endedAt` is dismissed: at the latest 4 h (by default) later.
  private func dismissalDate(_ dismissal: Dismissal, endedAt: Instant) -> Instant {
    let latest = endedAt + limits.dismissalMax
    switch dismissal {
    case .byDefault: return latest
    case .immediate: return now
    case .when(let moment): return min(latest, max(now, moment.resolved(from: now)))
    }
  }

  /// The change that makes a tombstone of it.
  func dismissing(
    _ activity: consuming Activity, because reason: Reason, at instant: Instant
  ) -> Transition {
    activity.dismiss(because: reason, at: instant)
    return changing(activity)
  }

  /// The instant an end or cancel speaks of. It counts unless it was meant for an earlier
  /// generation.
  private func instantOfEnding(
    _ timestamp: Timestamp?, ifVersion: Version?, on current: Activity
  ) throws(Refusal) -> Instant {
    try checkVersion(ifVersion, of: current)
    try checkNotInFuture(timestamp)
    let start = current.startTimestamp
    let isForgotten = start > now + limits.timestampAheadMax
    try checkOrder(
      timestamp, after: isForgotten ? nil : start, of: current, "the start of this generation")
    if let full = fullForOutcomes { throw full.value }
    return instant(of: timestamp, over: watermark(of: current))
  }
}

extension Activity {
  mutating func close(at instant: Instant, dismissalDate: Instant) {
    state = .ended
    staleDate = nil
    endedAt = instant
    self.dismissalDate = dismissalDate
  }

  mutating func dismiss(because reason: Reason, at instant: Instant) {
    state = .dismissed
    attributes = .emptyObject
    contentState = .null
    url = nil
    links = nil
    source = nil
    sensitive = []
    // It was to sound at a start that never comes.
    if alert?.version == 0 { alert = nil }
    dismissedAt = instant
    self.reason = reason
  }
}

extension JSONText {
  /// What a tombstone has for content.
  fileprivate static let null = JSONText("null")
}
