internal import ActivityCore
internal import ActivityWire

// MARK: - Reading

extension Hub {
  func get(_ id: String, delivery: Bool, _ request: Request, for session: Session) {
    guard let row = readable(id, by: session) else {
      return refuse(.unknownActivity, request, for: session)
    }
    let tellsWriter = session.isPublisher
    let counts = delivery ? self.delivery(of: row) : nil
    let activity = session.shown(row.activity)
    reply(to: session) {
      $0.got(activity, tellsWriter: tellsWriter, delivery: counts, ref: request.ref)
    }
  }

  func list(_ list: List, _ request: Request, for session: Session) {
    let isPublisher = session.isPublisher
    var filter = list.filter
    if !isPublisher { filter.states.remove(.pending) }
    filter.reach = session.grant?.reach
    var last: Row?
    if let after = list.after {
      last = coordinator.row(of: after, in: filter)
      guard last != nil else {
        let refusal = Refusal(
          .unknownActivity, "after names an id that isn't in this list (any more)", key: "after")
        return refuse(refusal, request, for: session)
      }
    }
    let ranking = coordinator.ranking(of: filter, behind: last?.activity)
    session.remainderMade().parts.append(
      .listing(
        Listing(
          list, ranking, on: session.settings.surface, tellsWriter: isPublisher, ref: request.ref)
      ))
    needsFlush(session)
  }

  /// The activity of an id as this session may know it.
  func readable(_ id: String, by session: Session) -> Row? {
    guard let row = coordinator.row(of: id) else { return nil }
    if row.activity.state == .pending || row.activity.shownSeq == 0, !session.isPublisher {
      return nil
    }
    guard session.grant?.reach?.holds(row.activity) ?? true else { return nil }
    return row
  }

  /// How many devices are subscribed to an activity, and how many of them lack its newest state.
  private func delivery(of row: Row) -> LineWriter.Delivery {
    var delivery = LineWriter.Delivery(subscribed: 0, current: 0, behind: 0)
    let generation = row.activity.generation
    for view in views.holding(row.activity) {
      delivery.subscribed += view.sessionCount
      delivery.current += view.inStep.count
      for session in view.others {
        let isBehind =
          !session.isSynced || session.remainder?.isDirty(generation) ?? false
        if isBehind { delivery.behind += 1 } else { delivery.current += 1 }
      }
    }
    return delivery
  }

  func refuse(_ code: ErrorCode, _ request: Request, for session: Session) {
    let refusal = Refusal(code, "there is no activity with this id", key: "id")
    refuse(refusal, request, for: session)
  }
}

// MARK: - The session itself

extension Hub {
  func ping(_ request: Request, for session: Session) {
    if session.isInStep, let view = session.view { flush(view) }
    let cursor = session.interest == nil ? nil : session.nextCursor(session.remainder)
    reply(to: session) { [now = clock.now(), seq = visibleSeq] in
      $0.pinged(now: now, seq: seq, cursor: cursor, ref: request.ref)
    }
  }

  func help(_ topic: HelpTopic?, _ request: Request, for session: Session) {
    reply(to: session) { [limits] in $0.helped(topic, limits, ref: request.ref) }
  }

  func quit(_ request: Request, for session: Session) {
    reply(to: session) { $0.done(.quit, ref: request.ref) }
    sayBye(to: session, because: .quit)
  }
}

// MARK: - dismiss, action

extension Hub {
  /// A device is to be shown an activity no more.
  func dismiss(_ id: String, _ request: Request, for session: Session) {
    let key = session.device.flatMap { outcomeKey(of: request, session, of: $0) }
    if let key, recall(key, request, at: clock.now(), for: session) { return }
    guard let row = readable(id, by: session), row.activity.state != .pending else {
      return refuse(.unknownActivity, request, for: session)
    }
    let generation = row.activity.generation
    let isQuiet = isQuiet(request, session)
    guard row.activity.state != .dismissed, !session.hasDismissed(generation) else {
      observe(session, op: "dismiss", id: id, .noop)
      if !isQuiet {
        reply(to: session) {
          $0.dismissed(id: id, generation: generation, applied: false, ref: request.ref)
        }
      }
      return
    }
    if let refusal = refusalOfDismissal(by: session)
      ?? key.flatMap({ _ in coordinator.refusalOfOutcome })
    {
      return refuse(refusal, request, for: session)
    }
    guard let device = session.device else {
      keepDismissal(of: generation, by: session)
      encode(
        .dismissal(generation: generation, id: id, ref: request.ref, isQuiet: isQuiet),
        for: session)
      return feedback(row, device: session.deviceName)
    }
    if let refusal = refusalOfWrites { return refuse(refusal, request, for: session) }
    let batch = pipeline.gathering
    batch.mutations.append(
      .dismissal(DeviceDismissal(device: device.name, id: id, generation: generation)))
    if let key {
      keep(key, request, applied: true, told: Told(dismissalOf: generation, id: id), in: batch)
    }
    session.particularsMade().dismissing = generation
    wait(
      for: batch,
      .dismissal(generation: generation, id: id, ref: request.ref, isQuiet: isQuiet), session)
  }

  /// A device's own dismissal is durable.
  func land(_ dismissal: DeviceDismissal, seq: Seq) {
    devices.land(dismissal, seq: seq)
    let row = coordinator.row(generation: dismissal.generation)
    if let session = devices.device(named: dismissal.device).session {
      leaveStep(session)
      if session.particulars?.dismissing != dismissal.generation {
        takeAwayUnasked(row, from: session)
      }
      session.remainder?.remove(dismissal.generation)
    }
    if let row { feedback(row, device: dismissal.device) }
    // Last: what the session was sent until now was sent without it.
    visibleSeq = seq
  }

  /// The device asked over an earlier connection, or was told that the dismissal may have failed:
  /// no answer will tell it.
  private func takeAwayUnasked(_ row: Row?, from session: Session) {
    guard let row, let view = session.view, view.interest.holds(row.activity) else { return }
    let unsent = session.remainder?.firstSeq(of: row.activity.generation)
    // Of what it was never told it isn't told now; nor twice that all dismissed it.
    guard row.activity.shownSeq < unsent ?? .max, row.activity.state.isShown || unsent != nil
    else { return }
    takeAway(coordinator.ranking(of: row), from: session, for: .dismissed)
  }

  private func feedback(_ row: Row, device: String) {
    for session in feedbackSessions where isListening(session, to: row.activity) {
      session.answers.dismissalFeedback(
        device: device, id: row.activity.id, generation: row.activity.generation,
        version: row.activity.version)
      needsFlush(session)
    }
  }

  /// Passes what somebody did on a device on to the publishers that listen.
  func action(_ action: Action, _ request: Request, for session: Session) {
    guard let row = readable(action.id, by: session) else {
      return refuse(.unknownActivity, request, for: session)
    }
    let activity = row.activity
    guard activity.state.isLive else {
      let refusal = Refusal(
        activity.state == .pending ? .unknownActivity : .ended,
        "an action needs a live activity; this one is \(activity.state.rawValue)",
        version: activity.version)
      return refuse(refusal, request, for: session)
    }
    if let expected = action.ifVersion, expected != activity.version {
      let refusal = Refusal(
        .versionConflict, "if-version is \(expected), but the version is \(activity.version)",
        key: "if-version", version: activity.version)
      return refuse(refusal, request, for: session)
    }
    var publishers = 0
    for publisher in feedbackSessions where isListening(publisher, to: activity) {
      publisher.answers.action(
        action, generation: activity.generation, version: activity.version,
        device: session.deviceName)
      needsFlush(publisher)
      publishers += 1
    }
    if !isQuiet(request, session) {
      reply(to: session) { $0.acted(action, publishers: publishers, ref: request.ref) }
    }
  }

  /// Whether a publisher that listens may hear of an activity, and has room for one more line.
  private func isListening(_ session: Session, to activity: Activity) -> Bool {
    hasRoom(session) && session.grant?.reach?.holds(activity) ?? true
  }

  /// Whether a session that listens has room for one more line.
  func hasRoom(_ session: Session) -> Bool {
    guard !session.isDeaf, !session.isLeaving else { return false }
    return session.answers.count < limits.answerBytesMax
  }
}
