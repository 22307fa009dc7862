internal import ActivityCore
internal import ActivityWire

// MARK: - Reading

extension Hub {
  func get(_ id: String, delivery: Bool, _ request: Request, for session: Session) {
    guard let row = readable(id, by: session) else {
      return refuse(.unknownActivity, request, for: session)
    }
    let tellsWriter = session.peer.role >= .publisher
    let counts = delivery ? self.delivery(of: row) : nil
    reply(to: session) {
      $0.got(row.activity, tellsWriter: tellsWriter, delivery: counts, ref: request.ref)
    }
  }

  func list(_ list: List, _ request: Request, for session: Session) {
    let isPublisher = session.peer.role >= .publisher
    var filter = list.filter
    if !isPublisher { filter.states.remove(.pending) }
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
      .listing(Listing(list, ranking, tellsWriter: isPublisher, ref: request.ref)))
    needsFlush(session)
  }

  /// The activity of an id as this session may know it.
  func readable(_ id: String, by session: Session) -> Row? {
    guard let row = coordinator.row(of: id) else { return nil }
    if row.activity.state == .pending || row.activity.shownSeq == 0,
      session.peer.role < .publisher
    {
      return nil
    }
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
  func hello(_ hello: Hello, _ request: Request, for session: Session) {
    if let refusal = refusal(of: hello, for: session) {
      return refuse(refusal, request, for: session)
    }
    let particulars = session.particularsMade()
    if let name = hello.device { attach(session, to: name, particulars) }
    let wasEnabled = particulars.settings.activitiesEnabled
    particulars.settings.apply(hello)
    setPace(of: session, particulars.settings)
    reply(to: session) {
      $0.greeted(
        device: session.deviceName, role: session.peer.role, particulars.settings,
        ref: request.ref)
    }
    if particulars.settings.activitiesEnabled != wasEnabled {
      activitiesEnabledChanged(to: !wasEnabled, for: session)
    } else if let interest = session.interest {
      session.cursorHash = cursorHash(of: session, interest)
    }
  }

  /// Sets how often a device is told of changes, as its `hello` or the configuration says.
  func setPace(of session: Session, _ settings: Settings) {
    let updatesPerHour = settings.updatesPerHour ?? limits.updatesPerHourDefault
    let interval = settings.interval.microseconds / 1_000
    let now = clock.monotonicMilliseconds()
    var pace =
      session.pace
      ?? Pace(updatesPerHour: updatesPerHour, intervalMilliseconds: interval, at: now)
    pace.updatesPerHour = updatesPerHour
    pace.intervalMilliseconds = interval
    session.pace = pace.isUnlimited ? nil : pace
    if session.pace != nil { leaveStep(session) }
    session.retryPaced(at: now)
  }

  private func refusal(of hello: Hello, for session: Session) -> Refusal? {
    if hello.token != nil {
      return Refusal(.unauthorized, "this daemon has no tokens", key: "token")
    }
    guard let name = hello.device else { return nil }
    if let device = session.device, Name(device.name) != Name(name) {
      return Refusal(.badValue, "this session is device \(device.name) already", key: "device")
    }
    if session.interest != nil, session.device == nil {
      return Refusal(.badValue, "device must be said before subscribe", key: "device")
    }
    return nil
  }

  /// Gives a session its device; an older session of that device is superseded.
  private func attach(
    _ session: Session, to name: String, _ particulars: Session.Particulars
  ) {
    guard particulars.device == nil else { return }
    let device = devices.device(named: name)
    if let older = device.session, older !== session {
      log.superseded(older, by: session, device.takeovers.note(at: clock.monotonicMilliseconds()))
      sayBye(to: older, because: .superseded)
    }
    device.session = session
    particulars.device = device
  }

  /// Activities were switched off or on for a whole device.
  private func activitiesEnabledChanged(to enabled: Bool, for session: Session) {
    guard let interest = session.interest else { return }
    endLowPriorityWindow()
    if enabled {
      session.cursorHash = cursorHash(of: session, interest)
      session.particulars?.interest = nil
      enterView(of: interest, session)
      session.isSynced = false
      session.remainderMade().beginAnew(with: coordinator.ranking(of: interest), because: .enabled)
    } else {
      leaveView(session)
      session.particularsMade().interest = interest
      session.cursorHash = cursorHash(of: session, interest)
      let shown = coordinator.ranking(ofShown: interest, known: Interest(), by: visibleSeq)
      takeAway(shown, from: session, for: .disabled)
    }
    needsFlush(session)
  }

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
    guard let row, row.activity.state.isShown, let view = session.view,
      view.interest.holds(row.activity)
    else { return }
    // Of what it was never told it isn't told now.
    let unsent = session.remainder?.firstSeq(of: row.activity.generation) ?? .max
    guard row.activity.shownSeq < unsent else { return }
    takeAway(coordinator.ranking(of: row), from: session, for: .dismissed)
  }

  private func feedback(_ row: Row, device: String) {
    for session in feedbackSessions where hasRoom(session) {
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
    for publisher in feedbackSessions where hasRoom(publisher) {
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

  /// Whether a session that listens has room for one more line.
  func hasRoom(_ session: Session) -> Bool {
    guard !session.isDeaf, !session.isFinishing else { return false }
    return session.answers.bytes.count < limits.answerBytesMax
  }
}
