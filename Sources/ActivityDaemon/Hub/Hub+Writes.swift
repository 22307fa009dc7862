internal import ActivityCore
internal import ActivityWire

// MARK: - Taking requests

extension Hub {
  /// A well-formed request came.
  func take(_ request: Request, from session: Session) {
    statistics.requests += 1
    if let refusal = refusalOfRights(of: session, to: request) {
      return refuse(refusal, request, for: session)
    }
    if let refusal = refusalOfRate(request, of: session) {
      return refuse(refusal, request, for: session)
    }
    if request.readsVisibleState, session.outstanding > 0 {
      session.heldMade().request = request
    } else {
      perform(request, for: session)
    }
  }

  /// Carries a request out, now that its turn has come.
  func perform(_ request: Request, for session: Session) {
    // Who hears no answers needn't be answered, and mustn't wait until it has been told something.
    guard !session.isDeaf || request.isFeltByOthers else { return }
    let refused = statistics.refused
    switch request.body {
    case .write(let write): self.write(write, request, for: session)
    case .dismiss(let id, true):
      var cancel = Cancel()
      cancel.reason = .device
      write(Write(id: id, command: .cancel(cancel)), request, for: session)
    case .dismiss(let id, false): dismiss(id, request, for: session)
    case .hello(let hello): self.hello(hello, request, for: session)
    case .get(let id, let delivery): get(id, delivery: delivery, request, for: session)
    case .list(let list): self.list(list, request, for: session)
    case .subscribe(let subscribe): self.subscribe(subscribe, request, for: session)
    case .unsubscribe(let unsubscribe): self.unsubscribe(unsubscribe, request, for: session)
    case .action(let action): self.action(action, request, for: session)
    case .ping: ping(request, for: session)
    case .help(let topic): help(topic, request, for: session)
    case .quit: quit(request, for: session)
    case .stats: stats(request, for: session)
    case .clients: clients(request, for: session)
    case .monitor(let filter): monitor(filter, request, for: session)
    case .backup(let path): backUp(to: path, request, for: session)
    case .tokenAdd(let add): addToken(add, request, for: session)
    case .tokenList: listTokens(request, for: session)
    case .tokenRevoke(let name): revokeToken(name, request, for: session)
    }
    // Who is refused is told of where that is done, and who writes when it is on disk.
    if request.isDoneAtOnce, statistics.refused == refused {
      observe(session, op: request.operation.rawValue, id: request.activityID, .ok)
    }
  }

  /// Refuses a request in its turn.
  func refuse(
    _ refusal: Refusal, op: String?, ref: JSONText?, id: String? = nil, to session: Session
  ) {
    statistics.refused(refusal)
    observe(session, op: op, id: id, .refused(refusal.code))
    reply(to: session) { $0.refused(refusal, op: op, ref: ref) }
  }

  func refuse(_ refusal: Refusal, _ request: Request, for session: Session) {
    refuse(
      refusal, op: request.operation.rawValue, ref: request.ref, id: request.activityID,
      to: session)
  }

  /// Answers in the order of the session's requests: behind those that wait for a batch.
  func reply(to session: Session, _ encode: (inout LineWriter) -> Void) {
    guard !session.isDeaf, !session.isClosed else { return }
    if session.outstanding > 0, let batch = pipeline.batch(number: session.lastBatch) {
      wait(for: batch, .line(LineWriter.lines(encode)), session)
    } else {
      encode(&session.answers)
      needsFlush(session)
    }
  }

  /// Whether the sender doesn't want to hear that all went well.
  func isQuiet(_ request: Request, _ session: Session) -> Bool {
    switch request.reply {
    case .errors: true
    case .all: false
    case nil: session.particulars?.settings.reply == .errors
    }
  }

  func wait(for batch: Batch, _ body: Answer.Body, _ session: Session) {
    batch.answers.append(Answer(session: session, position: batch.mutations.count, body: body))
    session.outstanding += 1
    session.lastBatch = max(session.lastBatch, batch.number)
  }
}

// MARK: - Deciding writes

extension Hub {
  private func write(_ write: Write, _ request: Request, for session: Session) {
    let op = request.operation.rawValue
    let id = write.id ?? identity.makeID()
    let now = clock.now()
    let key = outcomeKey(of: request, session)
    if let key, recall(key, request, at: now, for: session) { return }
    if let refusal = refusalOfWrites { return refuse(refusal, request, for: session) }

    let batch = pipeline.gathering
    let verdict = coordinator.decide(
      write.command, id: id, actor: session.actor, within: session.grant?.reach,
      keepsOutcome: key != nil, at: now, into: &batch.mutations)
    var ignored = write.ignored
    if !verdict.ignored.isEmpty { ignored += verdict.ignored }
    switch verdict.outcome {
    case .refused(let refusal):
      let waiting = verdict.batch.flatMap { pipeline.batch(number: $0) }
      answer(.refusal(refusal, op: op, ref: request.ref, id: id), after: waiting, session)
    case .noop, .applied:
      let applied = verdict.outcome == .applied
      var waiting = verdict.batch.flatMap { pipeline.batch(number: $0) }
      if let key {
        keep(key, request, applied: applied, ignored: ignored, told: Told(id: id), in: batch)
        waiting = batch
      }
      let write = WriteAnswer(
        id: id, op: op, ref: request.ref, applied: applied, ignored: ignored,
        isQuiet: isQuiet(request, session))
      answer(.write(write), after: waiting, session)
    }
  }

  /// Why no write can be taken now.
  var refusalOfWrites: Refusal? {
    if isStopping { return Refusal(.shuttingDown, "the daemon is stopping; try again soon") }
    if !pipeline.isHealthy {
      return Refusal(
        .storageUnavailable,
        "the store can't be written to at present; reading goes on, and a trial is made each second"
      )
    }
    return nil
  }

  /// Answers with `batch`, or with a later one that this session already waits for, or at once.
  func answer(_ body: Answer.Body, after batch: Batch?, _ session: Session) {
    let earlier = session.outstanding > 0 ? pipeline.batch(number: session.lastBatch) : nil
    if let earlier, earlier.number > batch?.number ?? 0 {
      wait(for: earlier, body, session)
    } else if let batch {
      wait(for: batch, body, session)
    } else {
      encode(body, for: session)
    }
  }

  /// Writes an answer, now that what it speaks of is visible.
  func encode(_ body: Answer.Body, for session: Session) {
    observe(body, for: session)
    guard !session.isDeaf, !session.isClosed else { return }
    switch body {
    case .line(let bytes), .durable(let bytes, _, _): session.answers.append(lines: bytes)
    case .revocation(let grant, _, let ref):
      session.answers.tokenRevoked(
        grant.token.name, sessions: sessionCount(of: grant), ref: ref)
    case .refusal(let refusal, let op, let ref, _):
      statistics.refused(refusal)
      session.answers.refused(refusal, op: op, ref: ref)
    case .write(let write):
      guard !write.isQuiet else { return }
      guard let row = coordinator.row(of: write.id) else {
        // A removal that is staged hides its activity from later writes, so this can't be.
        assertionFailure("an activity that was written isn't visible")
        let refusal = Refusal(.internal, "the activity is gone already", key: "id")
        session.answers.refused(refusal, op: write.op, ref: write.ref)
        return needsFlush(session)
      }
      session.answers.written(
        write.op, ref: write.ref, Told(row.activity), applied: write.applied,
        devices: deviceCount(of: row), ignored: write.ignored)
    case .replay(let key, _, let ref, let isQuiet):
      guard !isQuiet, let outcome = coordinator.kept(key) else { return }
      session.answers.replayed(outcome, devices: deviceCount(of: outcome.told.id), ref: ref)
    case .dismissal(let generation, let id, let ref, let isQuiet):
      guard !isQuiet else { return }
      session.answers.dismissed(id: id, generation: generation, applied: true, ref: ref)
    }
    needsFlush(session)
  }

  /// How many sessions are subscribed to an activity.
  func deviceCount(of row: Row) -> Int {
    guard row.activity.shownSeq > 0, !views.isEmpty else { return 0 }
    return views.holding(row.activity).reduce(0) { $0 + $1.sessionCount }
  }

  func deviceCount(of id: String) -> Int {
    coordinator.row(of: id).map { deviceCount(of: $0) } ?? 0
  }
}

extension Request {
  /// It does more than to tell its sender something.
  fileprivate var isFeltByOthers: Bool {
    switch operation {
    case .action, .backup, .tokenAdd, .tokenRevoke: true
    default: operation.writes
    }
  }

  /// What comes of it is known when `perform` returns.
  fileprivate var isDoneAtOnce: Bool {
    switch operation {
    case .backup, .tokenAdd, .tokenRevoke: false
    default: !operation.writes
    }
  }

  /// It is carried out on what is visible when its turn comes: everything its connection asked
  /// for before must be answered first.
  fileprivate var readsVisibleState: Bool {
    if case .dismiss(_, everywhere: false) = body { true } else { !operation.writes }
  }
}
