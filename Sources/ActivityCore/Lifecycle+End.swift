extension Lifecycle {
  /// Ends a live activity; brings the dismissal of an ended one forward; cancels a pending one.
  func end(_ end: End, id: String, on current: Activity?) throws(Refusal) -> Decision {
    guard let current else { throw unknown(id) }
    switch current.state {
    case .dismissed: return .noop(watermark: nil)
    case .ended: return try endAgain(end, on: current)
    case .pending, .active, .stale: break
    }
    try checkOrderOfEnding(end.timestamp, ifVersion: end.ifVersion, on: current)
    if let full = fullForOutcomes { throw full }
    if current.state == .pending {
      return .applied([dismissing(current, because: .cancelled, at: now)])
    }

    let mark = watermark(of: current)
    let isLate = mark.map { mark in end.timestamp?.isOlder(than: mark) ?? false } ?? false
    let instant = instant(of: end.timestamp, over: mark)
    var activity = current
    activity.watermark = max(instant, mark ?? instant)
    if let content = end.contentState, !isLate { activity.contentState = content }
    try checkSize(of: activity)
    activity.close(at: now, dismissalDate: dismissalDate(end.dismissal, endedAt: now))
    activity.dueAt = nil
    activity.changedBy = actor
    var transition = Transition(activity: activity, basis: current.version)
    if activity.dismissalDate.map({ $0 <= now }) ?? false {
      transition = dismissing(activity, because: .ended, at: now)
      transition.activity.version = current.version + 1
      transition.basis = current.version
    } else {
      transition.activity.version = current.version + 1
    }
    if let content = end.alert {
      transition.activity.alert = Alert(
        content: content, version: transition.activity.version, seq: 0, at: now)
    }
    let ignored = isLate && end.contentState != nil ? ["content-state"] : []
    return .applied([transition], ignored: ignored)
  }

  /// What is ended stays ended; only its dismissal may come earlier.
  private func endAgain(_ end: End, on current: Activity) throws(Refusal) -> Decision {
    if let content = end.contentState, content != current.contentState {
      throw Refusal(
        .ended, "this activity is ended already; its final content-state stays",
        key: "content-state", version: current.version)
    }
    let endedAt = current.endedAt ?? now
    let present = current.dismissalDate ?? endedAt + limits.dismissalMax
    guard let dismissal = end.dismissal else { return .noop(watermark: nil) }
    let wanted = dismissalDate(dismissal, endedAt: endedAt)
    guard wanted <= present else {
      throw Refusal(
        .ended, "this activity is ended already; its dismissal can only be brought forward",
        key: "dismissal-date", version: current.version)
    }
    guard wanted < present else { return .noop(watermark: nil) }
    try checkOrderOfEnding(end.timestamp, ifVersion: end.ifVersion, on: current)
    if let full = fullForOutcomes { throw full }
    guard wanted > now else {
      return .applied([dismissing(current, because: .ended, at: now)])
    }
    var activity = current
    activity.version += 1
    activity.dismissalDate = wanted
    activity.dueAt = nil
    activity.changedBy = actor
    return .applied([Transition(activity: activity, basis: current.version)])
  }

  /// Takes it away at once, whatever it is.
  func cancel(_ cancel: Cancel, id: String, on current: Activity?) throws(Refusal) -> Decision {
    guard let current else { throw unknown(id) }
    guard current.state != .dismissed else { return .noop(watermark: nil) }
    try checkOrderOfEnding(cancel.timestamp, ifVersion: cancel.ifVersion, on: current)
    if let full = fullForOutcomes { throw full }
    return .applied([dismissing(current, because: cancel.reason, at: now)])
  }

  /// An end or cancel counts unless it was meant for an earlier generation.
  private func checkOrderOfEnding(
    _ timestamp: Timestamp?, ifVersion: Version?, on current: Activity
  ) throws(Refusal) {
    try checkVersion(ifVersion, of: current)
    try checkNotInFuture(timestamp)
    let start = current.startTimestamp
    let isForgotten = start > now + limits.timestampAheadMax
    try checkOrder(
      timestamp, after: isForgotten ? nil : start, of: current, "the start of this generation")
  }

  /// When an activity that ended at `endedAt` is dismissed: at the latest 4 h (by default) later.
  private func dismissalDate(_ dismissal: Dismissal?, endedAt: Instant) -> Instant {
    let latest = endedAt + limits.dismissalMax
    switch dismissal ?? .byDefault {
    case .byDefault: return latest
    case .immediate: return now
    case .when(let moment): return min(latest, max(now, moment.resolved(from: now)))
    }
  }

  /// The change that makes a tombstone of it.
  func dismissing(_ current: Activity, because reason: Reason, at instant: Instant) -> Transition {
    var tombstone = current
    tombstone.version += 1
    tombstone.state = .dismissed
    tombstone.attributes = .emptyObject
    tombstone.contentState = .null
    tombstone.url = nil
    tombstone.links = nil
    tombstone.source = nil
    if tombstone.alert?.version == 0 { tombstone.alert = nil }
    tombstone.dismissedAt = instant
    tombstone.dueAt = nil
    tombstone.reason = reason
    tombstone.changedBy = actor
    return Transition(activity: tombstone, basis: current.version)
  }
}

extension Activity {
  mutating func close(at instant: Instant, dismissalDate: Instant) {
    state = .ended
    staleDate = nil
    endedAt = instant
    self.dismissalDate = dismissalDate
  }
}

extension JSONText {
  /// What a tombstone has for content.
  fileprivate static let null = JSONText("null")
}
