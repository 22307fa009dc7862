internal import ActivityCore
internal import ActivityWire

// MARK: - subscribe, unsubscribe

extension Hub {
  func subscribe(_ subscribe: Subscribe, _ request: Request, for session: Session) {
    var interest = session.interest ?? Interest()
    interest.reach = session.grant?.reach
    let before = session.interest
    interest.add(subscribe.interest)
    if subscribe.feedback, !session.isPublisher {
      let role = session.role?.rawValue ?? "none"
      let refusal = Refusal(
        .forbidden,
        "feedback needs role publisher; this connection has role \(role)",
        key: "feedback")
      return refuse(refusal, request, for: session)
    }
    if subscribe.since != nil, before != nil {
      let refusal = Refusal(
        .badValue, "since is for a session that has no subscription yet", key: "since")
      return refuse(refusal, request, for: session)
    }
    guard interest.keyCount <= limits.keysPerSubscriptionMax else {
      let refusal = Refusal.limitReached(
        .keysPerSubscription,
        "the subscription would have \(interest.keyCount) keys; at most "
          + "\(limits.keysPerSubscriptionMax) are allowed")
      return refuse(refusal, request, for: session)
    }
    if subscribe.feedback, !session.wantsFeedback {
      feedbackSessions.append(session)
      session.wantsFeedback = true
    }
    setInterest(interest, of: session)
    session.isSynced = false
    let remainder = session.remainderMade()
    remainder.parts.append(.line(LineWriter.lines { $0.done(.subscribe, ref: request.ref) }))
    if session.settings.activitiesEnabled {
      if let overdue = overdue(in: remainder) { remainder.parts.append(.overdue(overdue)) }
      if let since = subscribe.since {
        resume(session, since: since, remainder)
      } else {
        let ranking = coordinator.ranking(of: interest, known: before)
        remainder.parts.append(.state(ranking, since: 0, isResumed: false))
      }
    }
    remainder.parts.append(.synced)
    if !subscribe.follow { remainder.parts.append(.bye(.followed)) }
    needsFlush(session)
  }

  /// Sends what changed since a cursor or, if that can't be known, everything.
  private func resume(_ session: Session, since: Cursor, _ remainder: Remainder) {
    guard let interest = session.interest else { return }
    switch verdict(on: since, for: session) {
    case .success(let seq):
      let ranking = coordinator.ranking(of: interest, changedAfter: seq)
      let own = (session.device?.dismissed ?? [:]).filter { $0.value > seq }.keys
      let gone = coordinator.ranking(ofGone: interest, after: seq, andBy: own)
      remainder.parts.append(.gone(gone, since: seq))
      remainder.parts.append(.state(ranking, since: seq, isResumed: true))
      session.cursorSeq = seq
      statistics.resumed += 1
    case .failure(let reset):
      let ranking = coordinator.ranking(of: interest)
      remainder.parts.append(.reset(reset.reason))
      remainder.parts.append(.state(ranking, since: 0, isResumed: false))
      statistics.reset += 1
    }
  }

  /// What a session may not have been told is gone, among much else.
  private func overdue(in remainder: Remainder) -> Ranking? {
    guard let first = remainder.firstSeq else { return nil }
    var everything = Interest()
    everything.all = true
    return coordinator.ranking(ofGone: everything, after: first - 1, andBy: [])
  }

  /// The tombstone of an activity is removed. Who hasn't been told yet that it is gone can't be any
  /// more, and begins anew.
  func resetThoseThatLack(_ row: Row) {
    for view in views.holding(row.activity) {
      for session in view.others {
        session.particulars?.dismissed.remove(row.activity.generation)
        guard let remainder = session.remainder,
          remainder.isDirty(row.activity.generation) || remainder.isLookingBack
        else { continue }
        beginAnew(session, because: .floor)
      }
    }
  }

  /// Has a session forget all that it shows and, if it is subscribed, sends it the state again.
  func beginAnew(_ session: Session, because reason: ResetReason) {
    statistics.reset += 1
    needsFlush(session)
    let remainder = session.remainderMade()
    guard let interest = session.interest else {
      return remainder.appendBeforeSynced(.reset(reason))
    }
    session.isSynced = false
    let shown = session.settings.activitiesEnabled ? interest : Interest()
    remainder.beginAnew(with: coordinator.ranking(of: shown), because: reason)
  }

  private struct Reset: Error {
    let reason: ResetReason
  }

  /// The seq from which a cursor can be resumed, or why it can't be.
  private func verdict(on cursor: Cursor, for session: Session) -> Result<Seq, Reset> {
    guard cursor.epoch == identity.epoch else { return .failure(Reset(reason: .epoch)) }
    guard cursor.hash == session.cursorHash else { return .failure(Reset(reason: .subscription)) }
    guard cursor.seq >= floor else { return .failure(Reset(reason: .floor)) }
    guard cursor.seq <= visibleSeq else { return .failure(Reset(reason: .ahead)) }
    return .success(cursor.seq)
  }

  func unsubscribe(_ unsubscribe: Unsubscribe, _ request: Request, for session: Session) {
    let gone = unsubscribe.interest
    if unsubscribe.feedback {
      session.wantsFeedback = false
      feedbackSessions.removeAll { $0 === session }
    }
    guard let before = session.interest else {
      reply(to: session) { $0.done(.unsubscribe, ref: request.ref) }
      return
    }
    var interest = before
    interest.remove(gone)
    let isDone = interest.isEmpty && !session.wantsFeedback
    let leaving = coordinator.ranking(
      ofShown: before, known: interest, by: visibleSeq)
    setInterest(isDone ? nil : interest, of: session)
    let answer = LineWriter.lines { $0.done(.unsubscribe, ref: request.ref) }
    session.remainderMade().parts.append(.line(answer))
    if session.settings.activitiesEnabled { takeAway(leaving, from: session, for: .unsubscribed) }
    needsFlush(session)
  }

  /// Dismisses what a session was shown until now.
  func takeAway(_ ranking: Ranking, from session: Session, for reason: SessionReason) {
    session.remainderMade().appendBeforeSynced(.dismissals(ranking, reason: reason))
    needsFlush(session)
  }

  /// Moves a session to the view of another interest; nil for none.
  func setInterest(_ interest: Interest?, of session: Session) {
    endLowPriorityWindow()
    leaveView(session)
    session.particulars?.interest = nil
    // Writing what its old view had gathered may have failed.
    guard let interest, !session.isDeaf else {
      session.isSynced = false
      return
    }
    session.cursorHash = cursorHash(of: session, interest)
    if session.settings.activitiesEnabled {
      enterView(of: interest, session)
    } else {
      session.particularsMade().interest = interest
    }
  }

  func enterView(of interest: Interest, _ session: Session) {
    let view = views.view(of: interest, on: session.settings.surface)
    session.view = view
    // At once: should writing to all others fail, a view without sessions is forgotten.
    view.add(session, inStep: false)
  }

  func leaveView(_ session: Session) {
    guard let view = session.view else { return }
    flush(view)
    guard session.view != nil else { return }
    view.remove(session)
    session.view = nil
    views.removeIfEmpty(view)
  }

  /// What a cursor is good for: the same over restarts.
  func cursorHash(of session: Session, _ interest: Interest) -> UInt64 {
    var digest = Digest()
    interest.add(to: &digest)
    digest.add(session.device?.name ?? "")
    let settings = session.settings
    digest.add(settings.surface.rawValue)
    digest.add(settings.activitiesEnabled ? "" : "disabled")
    return UInt64(truncatingIfNeeded: digest.value ^ (digest.value >> 64))
  }

  /// Whether an alert is young enough for a device that was away when it came.
  func isFresh(_ alert: Alert?) -> Bool {
    guard let alert else { return false }
    return clock.now() - alert.at <= limits.alertAgeMax
  }
}
