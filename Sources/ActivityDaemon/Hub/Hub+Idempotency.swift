internal import ActivityCore
internal import ActivityWire

// MARK: - Requests that are sent again

extension Hub {
  /// Whose key a request has, if it has one.
  ///
  /// - Parameter device: whose own dismissal it is. Devices that share a listener dismiss each for
  ///   itself, so one's key says nothing of another's.
  func outcomeKey(
    of request: Request, _ session: Session, of device: Device? = nil
  ) -> OutcomeKey? {
    let scope = session.outcomeScope
    let owner = device.map { "\(scope) device:\($0.name)" } ?? scope
    return request.idempotency.map { OutcomeKey(scope: owner, key: $0.key) }
  }

  /// Answers a request whose key is known.
  func recall(
    _ key: OutcomeKey, _ request: Request, at now: Instant, for session: Session
  ) -> Bool {
    guard let digest = request.idempotency?.request else { return false }
    let op = request.operation.rawValue
    switch coordinator.recall(key, request: digest, at: now) {
    case .none: return false
    case .conflict:
      let refusal = Refusal(
        .idempotencyConflict, "another request had this idempotency-key", key: "idempotency-key")
      refuse(refusal, request, for: session)
    case .kept(let outcome):
      observe(session, op: op, id: outcome.told.id, outcome.applied ? .applied : .noop)
      guard !isQuiet(request, session) else { return true }
      reply(to: session) { [devices = deviceCount(of: outcome.told.id)] in
        $0.replayed(outcome, devices: devices, ref: request.ref)
      }
    case .staged(let number):
      let body = Answer.Body.replay(
        key, op: op, ref: request.ref, isQuiet: isQuiet(request, session))
      answer(body, after: pipeline.batch(number: number), session)
    }
    return true
  }

  /// What is kept with a request's own change, to answer it alike when it comes again.
  func keep(
    _ key: OutcomeKey, _ request: Request, applied: Bool, ignored: [String] = [], told: Told,
    in batch: Batch
  ) {
    guard let idempotency = request.idempotency else { return }
    coordinator.stage(key, request: idempotency.request)
    batch.mutations.append(
      .outcome(
        KeptOutcome(
          key: key, request: idempotency.request, expiresAt: clock.now() + limits.outcomeKept,
          op: request.operation.rawValue, applied: applied, ignored: ignored, told: told)))
  }
}

extension LineWriter {
  /// The answer that a request was given before.
  mutating func replayed(_ outcome: KeptOutcome, devices: Int, ref: JSONText?) {
    let told = outcome.told
    if told.isOwnDismissal {
      dismissed(
        id: told.id, generation: told.generation, applied: outcome.applied, replayed: true,
        ref: ref)
    } else {
      written(
        outcome.op, ref: ref, told, applied: outcome.applied, devices: devices,
        ignored: outcome.ignored, replayed: true)
    }
  }
}
