package import ActivityCore
internal import ActivityWire

// MARK: - To the store and back

extension Hub {
  /// At most so many changes by deadlines go into one batch, to keep each turn short.
  static let dueChangesPerBatch = 2_048
  /// With so many changes a commit's own cost, its sync above all, no longer counts for much.
  static let changesWorthACommit = 128

  /// When time alone changes something next; nil while the store can't take it anyway, or a commit
  /// under way will bring it on.
  package var nextDeadline: Instant? {
    guard pipeline.isHealthy, !isStopping else { return nil }
    let deadlines = [coordinator.nextDeadline, tokens.nextExpiry].compactMap { $0 }
    guard let next = deadlines.min() else { return nil }
    return pipeline.inFlight != nil && next <= clock.now() ? nil : next
  }

  /// Applies what time has made due.
  package func advance() {
    guard pipeline.isHealthy, !isStopping else { return }
    expireTokens()
    let room = Self.dueChangesPerBatch - pipeline.gathering.mutations.count
    guard room > 0 else { return }
    pipeline.gathering.mutations += coordinator.advance(to: clock.now(), limit: room)
  }

  /// Whether changes can be written, as far as is known.
  var isStoreHealthy: Bool { pipeline.isHealthy }

  /// Whether everything decided is durable.
  package var isIdle: Bool { pipeline.inFlight == nil && pipeline.gathering.isEmpty }

  /// Sends the gathered batch to the store, if that is free.
  func submit() {
    guard let batch = pipeline.next() else { return }
    coordinator.batch = pipeline.gathering.number
    batch.nameGenerations { self.coordinator.row(of: $0)?.activity.generation ?? 0 }
    batch.submittedAt = clock.monotonicMicroseconds()
    committer.commit(batch.mutations)
  }

  /// Where much comes in at once, the store works on what has been decided so far while the loop
  /// reads on, instead of one after the other.
  func keepStoreBusy() {
    guard pipeline.gathering.mutations.count >= Self.changesWorthACommit else { return }
    committer.collect()
    submit()
  }

  /// A commit came to its end.
  package func committed(_ result: Result<Committed, StoreError>) {
    switch result {
    case .success(let committed):
      if pipeline.condition == .failing {
        trialSucceeded(committed)
      } else if let batch = pipeline.inFlight {
        land(batch, committed)
      }
    case .failure(let error): commitFailed(error)
    }
    proceedWaiting()
  }

  private func land(_ batch: Batch, _ committed: Committed) {
    let mutations = batch.mutations
    var next = 0
    // Last of all: what has expired may still be the answer to a request of this batch.
    var expiry: Instant?
    func landMutations(upTo end: Int) {
      while next < end {
        if case .expireOutcomes(let instant) = mutations[next] {
          expiry = instant
        } else {
          land(mutations[next], committed.results[next], batch: batch.number)
        }
        next += 1
      }
    }
    let answers = batch.answers
    for index in answers.indices {
      landMutations(upTo: answers[index].position)
      encode(answers[index].body, for: answers[index].session)
      settle(answers[index].session)
    }
    landMutations(upTo: mutations.count)
    if let expiry { coordinator.land(expiryAt: expiry) }
    coordinator.finishLanding()
    _ = pipeline.committed()
    statistics.committed(
      changes: mutations.count,
      microseconds: clock.monotonicMicroseconds() - batch.submittedAt)
  }

  private func land(_ mutation: Mutation, _ result: MutationResult, batch: Int) {
    switch (mutation, result) {
    case (.transition(let transition), .seq(let seq)):
      let row = coordinator.land(transition, seq: seq, batch: batch)
      visibleSeq = seq
      dispatch(row, since: seq, priority: transition.priority)
    case (.dismissal(let dismissal), .seq(let seq)):
      land(dismissal, seq: seq)
    case (.watermark(let id, let watermark), _):
      coordinator.land(watermark: watermark, id: id, batch: batch)
    case (.outcome(var outcome), _):
      if outcome.told.isOwnDismissal {
        outcome.told.seq = visibleSeq
      } else if let row = coordinator.row(of: outcome.told.id) {
        outcome.told = Told(row.activity)
      }
      coordinator.land(outcome)
    case (.forget(let generation), _): forget(generation)
    case (.token(let token), .seq(let seq)):
      tokenLanded(token)
      visibleSeq = seq
    case (.revoke(let key), .seq(let seq)):
      revocationLanded(key)
      visibleSeq = seq
    case (.expireOutcomes, _), (.trial, _): break
    case (.transition, _), (.dismissal, _), (.token, _), (.revoke, _):
      preconditionFailure("a store answers a change with its seq")
    }
  }

  private func forget(_ generation: Generation) {
    if let row = coordinator.row(generation: generation) {
      floor = max(floor, row.activity.seq)
      resetThoseThatLack(row)
    }
    coordinator.land(forget: generation)
    devices.forget(generation)
  }

  /// One of a session's answers has left.
  private func settle(_ session: Session) {
    session.outstanding -= 1
    session.particulars?.dismissing = nil
    guard !session.isClosed else { return }
    if session.outstanding == 0, let farewell = session.particulars?.farewell {
      return sayBye(
        to: session, because: farewell.reason, reconnectAfter: farewell.reconnectAfter)
    }
    if session.held != nil || session.hasEnded || !session.isReading {
      proceeding.append(session)
    }
  }
}

// MARK: - When the store fails

extension Hub {
  /// Tries, once a second, whether a store that failed works again.
  func tryStore() {
    guard pipeline.trial() != nil else { return }
    coordinator.batch = pipeline.gathering.number
    committer.commit([.trial])
  }

  private func commitFailed(_ error: StoreError) {
    if error.kind == .unusable { onUnusableStore?(error) }
    if pipeline.isHealthy { log.storeFailed(error) }
    statistics.failedCommits += 1
    let dropped = pipeline.failed()
    coordinator.batch = pipeline.gathering.number
    coordinator.dropStaged()
    tokens.dropStaged()
    let refusal = Refusal(
      .storageUnavailable,
      "the change couldn't be stored; whether it was is unknown until it is tried again with the "
        + "same idempotency-key")
    for answer in dropped.flatMap(\.answers) {
      encode(answer.body.failed(with: refusal), for: answer.session)
      settle(answer.session)
    }
  }

  private func trialSucceeded(_ committed: Committed) {
    for answer in pipeline.committed()?.answers ?? [] {
      encode(answer.body, for: answer.session)
      settle(answer.session)
    }
    if committed.seqBefore > visibleSeq {
      pipeline.reread()
      committer.reload(after: visibleSeq)
    } else {
      storeRecovered()
    }
  }

  /// What an apparently failed batch left on disk.
  package func reloaded(_ result: Result<[StoredItem], StoreError>) {
    guard case .success(let items) = result else {
      if case .failure(let error) = result { commitFailed(error) }
      return
    }
    let first = visibleSeq + 1
    // Whoever was let in by a token that is gone isn't told what else is new.
    reloaded(items.compactMap { if case .token(let token) = $0 { token } else { nil } })
    for item in items {
      switch item {
      case .activity(let activity):
        let row = coordinator.restore(activity)
        visibleSeq = max(visibleSeq, activity.seq)
        dispatch(row, since: first, priority: .high)
      case .dismissal(let dismissal):
        land(dismissal, seq: dismissal.seq)
      case .outcome(let outcome): coordinator.land(outcome)
      case .token: break
      }
    }
    storeRecovered()
    proceedWaiting()
  }

  private func storeRecovered() {
    pipeline.recovered()
    log.storeRecovered()
    advance()
  }
}

extension Answer.Body {
  /// The answer if the batch failed: whoever depends on it can't know.
  fileprivate func failed(with refusal: Refusal) -> Answer.Body {
    switch self {
    case .line: self
    case .write(let write): .refusal(refusal, op: write.op, ref: write.ref, id: write.id)
    case .replay(_, let op, let ref, _): .refusal(refusal, op: op, ref: ref, id: nil)
    case .refusal(_, let op, let ref, let id): .refusal(refusal, op: op, ref: ref, id: id)
    case .durable(_, let op, let ref), .revocation(_, let op, let ref):
      .refusal(refusal, op: op, ref: ref, id: nil)
    case .dismissal(_, let id, let ref, _): .refusal(refusal, op: "dismiss", ref: ref, id: id)
    }
  }
}

extension Batch {
  /// Gives each transition the generation it belongs to, but for those that follow a start in this
  /// very batch: all earlier batches are durable by now.
  func nameGenerations(_ visible: (String) -> Generation) {
    var opened: Set<Name> = []
    for index in mutations.indices {
      guard case .transition(var transition) = mutations[index] else { continue }
      if transition.opensGeneration {
        opened.insert(Name(transition.id))
      } else if transition.generation == 0, !opened.contains(Name(transition.id)) {
        transition.activity.generation = visible(transition.id)
        mutations[index] = .transition(transition)
      }
    }
  }
}
