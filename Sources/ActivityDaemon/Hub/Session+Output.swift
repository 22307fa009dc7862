internal import ActivityCore
internal import ActivityWire
internal import EventLoop

extension Hub {
  /// So much is encoded for one session at a time.
  private static let chunkBytes = 65_536

  /// Writes a session's answers and, if it isn't in step, the next piece of what it lacks.
  func flush(_ session: Session) {
    guard !session.isDeaf else {
      if session.isFinishing { session.transport.close() }
      return
    }
    guard !session.isClosed, !session.transport.isWriting else { return }
    var chunk = session.answers.take()
    let hasMore = session.fill(&chunk, limit: Self.chunkBytes)
    if !chunk.isEmpty {
      session.spokenAt = clock.monotonicMilliseconds()
      do throws(UVError) {
        try send(chunk, to: session)
      } catch {
        return becomeDeaf(session)
      }
    }
    if session.transport.isWriting {
      leaveStep(session)
    } else if session.isFinishing, !hasMore, session.answers.isEmpty {
      return shutDown(session)
    }
    if hasMore, !session.transport.isWriting { needsFlush(session) }
    joinStep(session)
    if session.held != nil || !session.isReading || session.hasEnded {
      proceeding.append(session)
    }
  }

  /// Looks at what a session is to be told of, as far as this turn still has time for it.
  ///
  /// - Returns: whether a line of it can be written in this turn.
  fileprivate func prepare(_ part: Part) -> Bool {
    guard let ranking = part.ranking else { return true }
    stepsLeft -= ranking.gather(max(0, stepsLeft))
    return ranking.isComplete && stepsLeft > 0
  }

  /// Everything is written. A socket closed with input unread would take the last lines back, so
  /// what still comes is read and passed over, for a while.
  private func shutDown(_ session: Session) {
    guard !session.isShutDown else { return }
    session.isShutDown = true
    if session.hasEnded { return session.transport.close() }
    session.spokenAt = clock.monotonicMilliseconds()
    session.transport.shutdown()
    session.transport.startReading()
  }

  private func send(_ lines: borrowing LineWriter, to session: Session) throws(UVError) {
    try unsafe lines.withUnsafeBytes { (bytes) throws(UVError) in
      var slice = unsafe WriteSlice(bytes)
      try unsafe withUnsafePointer(to: &slice) { (slice) throws(UVError) in
        let slices = unsafe UnsafeBufferPointer(start: slice, count: 1)
        _ = try unsafe session.send(slices, total: bytes.count)
      }
    }
  }

  /// Puts a session that lacks nothing any more back in step.
  private func joinStep(_ session: Session) {
    if session.remainder?.isEmpty ?? false { session.remainder = nil }
    guard let view = session.view, !session.isInStep, session.canBeInStep else { return }
    // What the view gathered before is part of what this session has been sent already.
    flush(view)
    view.remove(session)
    view.add(session, inStep: true)
  }
}

extension Session {
  /// Appends the next piece of what the session lacks.
  ///
  /// - Returns: whether more is left.
  fileprivate func fill(_ chunk: inout LineWriter, limit: Int) -> Bool {
    guard let remainder else { return false }
    while chunk.count < limit, let part = remainder.parts.first {
      guard hub.prepare(part) else {
        hub.needsFlushFirst(self)
        return true
      }
      hub.stepsLeft -= Hub.stepsPerLine
      fillFromParts(remainder, &chunk)
    }
    guard remainder.parts.isEmpty else { return true }
    movePaced(remainder, at: hub.clock.monotonicMilliseconds())
    var isOpen = false
    while chunk.count < limit, hub.stepsLeft > 0,
      let next = remainder.dirty.popFirst(promoted: hub.promotedSeq)
    {
      hub.stepsLeft -= Hub.stepsPerLine
      guard let row = hub.coordinator.row(generation: next.generation) else {
        // It went from the session's view before it was told, and is forgotten by now.
        hub.beginAnew(self, because: .floor)
        break
      }
      guard row.activity.isWorthSending(since: next.seq), !hasDismissed(next.generation)
      else { continue }
      guard paceAllows(row.activity, since: next.seq) else {
        remainder.paced.insert(next.generation, seq: next.seq, isHigh: false)
        continue
      }
      if hub.takeFromWindow(row) { remainder.remove(next.generation) }
      if isOpen { chunk.endEvent() }
      chunk.beginEvent(shown(row.activity), since: next.seq)
      hub.statistics.deliveries += 1
      isOpen = true
    }
    if isOpen { close(&chunk, remainder) }
    if remainder.dirty.isEmpty, pace != nil {
      pace?.endBatch(at: hub.clock.monotonicMilliseconds())
    }
    guard !remainder.dirty.isEmpty else { return !remainder.parts.isEmpty }
    if hub.stepsLeft <= 0 { hub.needsFlushFirst(self) }
    return true
  }

  /// Whether the device's pace lets a change go now.
  private func paceAllows(_ activity: Activity, since first: Seq) -> Bool {
    guard particulars != nil, pace != nil else { return true }
    let hasAlert = activity.alert.map { $0.seq >= first } ?? false
    let kind: Pace.Kind =
      if hasAlert || !activity.state.isLive {
        .urgent
      } else if activity.state == .active, activity.shownSeq < first {
        .update
      } else {
        .other
      }
    return pace?.allows(kind, at: hub.clock.monotonicMilliseconds()) ?? true
  }

  /// Sends what waited for the pace, if that allows it now.
  func retryPaced(at now: Int64) {
    guard let remainder, movePaced(remainder, at: now) else { return }
    hub.needsFlush(self)
  }

  /// Lets what waited for the pace be looked at again, if some of it may go now.
  @discardableResult
  private func movePaced(_ remainder: Remainder, at now: Int64) -> Bool {
    guard !remainder.paced.isEmpty, pace?.isReady(at: now) ?? true else { return false }
    while let next = remainder.paced.popFirst(promoted: .max) {
      remainder.dirty.insert(next.generation, seq: next.seq, isHigh: true)
    }
    return true
  }

  /// Ends the last line of a piece: with a cursor, if nothing at or below it waits.
  private func close(_ chunk: inout LineWriter, _ remainder: Remainder) {
    chunk.endEvent(cursor: nextCursor(remainder))
  }

  /// The newest cursor that the session may be given now, if that isn't below an earlier one.
  func nextCursor(_ remainder: Remainder?) -> Cursor? {
    guard isSynced, remainder?.parts.isEmpty ?? true else { return nil }
    let cursor = cursor(behind: remainder)
    guard cursor.seq >= cursorSeq else { return nil }
    cursorSeq = cursor.seq
    return cursor
  }

  /// The newest cursor such that nothing at or below it waits in `remainder`.
  private func cursor(behind remainder: Remainder?) -> Cursor {
    let waiting = remainder?.firstSeq.map { $0 - 1 } ?? .max
    return Cursor(
      epoch: hub.identity.epoch, seq: min(waiting, hub.settledSeq), hash: cursorHash)
  }

  private func fillFromParts(_ remainder: Remainder, _ chunk: inout LineWriter) {
    switch remainder.parts[0] {
    case .line(let bytes):
      chunk.append(lines: bytes)
      remainder.parts.removeFirst()
    case .reset(let reason):
      remainder.parts.removeFirst()
      chunk.reset(reason)
      remainder.stateCount = 0
    case .overdue(let ranking):
      guard let row = ranking.popFirst() else { return dropPart(remainder) }
      guard let first = remainder.remove(row.activity.generation),
        row.activity.isWorthSending(since: first)
      else { return }
      chunk.beginEvent(shown(row.activity), since: first)
      chunk.endEvent()
    case .state(let ranking, let since, let isResumed):
      guard let row = ranking.popFirst() else { return dropPart(remainder) }
      appendState(row, since: since, isResumed: isResumed, remainder, &chunk)
    case .dismissals(let ranking, let reason):
      guard let row = ranking.popFirst() else {
        dropPart(remainder)
        if ranking.hasLost { hub.beginAnew(self, because: .floor) }
        return
      }
      appendDismissal(row, for: reason, remainder, &chunk)
    case .gone(let ranking, let since):
      guard let row = ranking.popFirst() else { return dropPart(remainder) }
      appendGone(row, since: since, remainder, &chunk)
    case .listing(let listing):
      if listing.append(to: &chunk) { dropPart(remainder) }
    case .clients(let clients):
      let now = hub.clock.monotonicMilliseconds()
      if clients.append(to: &chunk, at: now) { dropPart(remainder) }
    case .synced:
      remainder.parts.removeFirst()
      isSynced = true
      let cursor = cursor(behind: remainder)
      cursorSeq = max(cursorSeq, cursor.seq)
      chunk.synced(cursor, count: remainder.stateCount)
      remainder.stateCount = 0
    case .bye(let reason):
      remainder.parts.removeAll()
      hub.sayBye(to: self, because: reason)
    }
  }

  private func dropPart(_ remainder: Remainder) {
    remainder.parts.removeFirst()
  }

  /// What a session was shown until it asked for less. What it was never told of it isn't told of
  /// now.
  private func appendDismissal(
    _ row: Row, for reason: SessionReason, _ remainder: Remainder, _ chunk: inout LineWriter
  ) {
    // Nothing dirty is sent before this: it is what it was when the session asked.
    let unsent = remainder.remove(row.activity.generation)
    if let unsent, row.activity.shownSeq >= unsent { return }
    guard reason == .dismissed || !hasDismissed(row.activity.generation) else { return }
    chunk.beginDismissal(of: row.activity, for: reason)
    chunk.endEvent()
  }

  private func appendGone(
    _ row: Row, since: Seq, _ remainder: Remainder, _ chunk: inout LineWriter
  ) {
    if row.activity.state == .dismissed {
      chunk.beginEvent(
        row.activity, since: since + 1, withAlert: hub.isFresh(row.activity.alert))
    } else {
      chunk.beginDismissal(of: row.activity, for: .dismissed)
    }
    chunk.endEvent()
    remainder.stateCount += 1
  }

  /// One activity of the state after a subscribe, as it is now.
  private func appendState(
    _ row: Row, since: Seq, isResumed: Bool, _ remainder: Remainder, _ chunk: inout LineWriter
  ) {
    let activity = row.activity
    // What changed meanwhile is told by this very line.
    _ = hub.takeFromWindow(row)
    let changed = remainder.remove(activity.generation)
    guard !hasDismissed(activity.generation) else { return }
    guard activity.state != .dismissed else {
      // A device that resumes may have seen it before it was cut off. Its earlier change is below the
      // cursor of `synced`, so this can't come behind that.
      if isResumed, activity.shownSeq > 0 { appendGone(row, since: since, remainder, &chunk) }
      return
    }
    guard activity.state.isShown else { return }
    let isNewAlert = activity.alert.map { $0.seq >= changed ?? .max } ?? false
    chunk.beginEvent(
      shown(activity), since: since + 1,
      withAlert: isNewAlert || isResumed && hub.isFresh(activity.alert))
    chunk.endEvent()
    remainder.stateCount += 1
    hub.statistics.deliveries += 1
  }
}

extension LineWriter {
  /// What `endEvent` without a cursor writes.
  static let endBytes = 2

  /// Tells of an activity to somebody who knows everything below `first`; `endEvent` is to follow.
  mutating func beginEvent(_ activity: Activity, since first: Seq, withAlert: Bool = true) {
    var alert = withAlert ? activity.alert : nil
    if let seq = alert?.seq, seq < first { alert = nil }
    let event = ActivityEvent(activity.state, isKnown: activity.shownSeq < first)
    beginEvent(event, activity, alert: alert)
  }
}

extension Activity {
  /// Whether somebody who knows nothing from `seq` on must be told of it.
  func isWorthSending(since seq: Seq) -> Bool {
    state != .pending && !(state == .dismissed && shownSeq >= seq)
  }
}
