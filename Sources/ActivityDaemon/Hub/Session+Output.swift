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
    var chunk = session.answers
    session.answers = LineWriter()
    let hasMore = session.fill(&chunk, limit: Self.chunkBytes)
    if !chunk.bytes.isEmpty {
      session.spokenAt = clock.monotonicMilliseconds()
      do throws(UVError) {
        try send(chunk.bytes, to: session)
      } catch {
        return becomeDeaf(session)
      }
    }
    if session.transport.isWriting {
      leaveStep(session)
    } else if session.isFinishing, !hasMore, session.answers.bytes.isEmpty {
      return shutDown(session)
    }
    if hasMore, !session.transport.isWriting { needsFlush(session) }
    joinStep(session)
    if session.held != nil || !session.isReading || session.hasEnded {
      proceeding.append(session)
    }
  }

  /// Looks at what a device is to be shown, as far as this turn still has time for it.
  ///
  /// - Returns: whether all has been looked at.
  fileprivate func complete(_ ranking: Ranking) -> Bool {
    gatherRoom -= ranking.gather(gatherRoom)
    return ranking.isComplete
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

  private func send(_ bytes: [UInt8], to session: Session) throws(UVError) {
    try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(UVError) in
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
    while chunk.bytes.count < limit, !remainder.parts.isEmpty {
      if case .state(let ranking, _, _) = remainder.parts[0], !hub.complete(ranking) {
        return true
      }
      fillFromParts(remainder, &chunk)
    }
    guard remainder.parts.isEmpty else { return true }
    movePaced(remainder, at: hub.clock.monotonicMilliseconds())
    var isOpen = false
    while chunk.bytes.count < limit,
      let next = remainder.dirty.popFirst(promoted: hub.promotedSeq)
    {
      guard let row = hub.coordinator.row(generation: next.generation),
        row.activity.isWorthSending(since: next.seq), !hasDismissed(next.generation)
      else { continue }
      guard paceAllows(row.activity, since: next.seq) else {
        remainder.paced.insert(next.generation, seq: next.seq, isHigh: false)
        continue
      }
      if hub.takeFromWindow(row) { remainder.remove(next.generation) }
      if isOpen { chunk.endEvent() }
      chunk.beginEvent(row.activity, since: next.seq)
      hub.statistics.deliveries += 1
      isOpen = true
    }
    if isOpen { close(&chunk, remainder) }
    if remainder.dirty.isEmpty, pace != nil {
      pace?.endBatch(at: hub.clock.monotonicMilliseconds())
    }
    return !remainder.dirty.isEmpty
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
    case .overdue(var rows):
      guard let row = rows.popFirst() else { return dropPart(remainder) }
      remainder.parts[0] = .overdue(rows)
      guard let first = remainder.remove(row.activity.generation),
        row.activity.isWorthSending(since: first)
      else { return }
      chunk.beginEvent(row.activity, since: first)
      chunk.endEvent()
    case .state(let ranking, let since, let withAlerts):
      guard let row = ranking.popFirst() else { return dropPart(remainder) }
      appendState(row, since: since, withAlerts: withAlerts, remainder, &chunk)
    case .dismissals(var rows, let reason):
      guard let row = rows.popFirst() else { return dropPart(remainder) }
      remainder.parts[0] = .dismissals(rows, reason: reason)
      chunk.beginDismissal(of: row.activity, for: reason)
      chunk.endEvent()
    case .gone(var rows, let since):
      guard let row = rows.popFirst() else { return dropPart(remainder) }
      remainder.parts[0] = .gone(rows, since: since)
      if row.activity.state == .dismissed {
        chunk.beginEvent(
          row.activity, since: since + 1, withAlert: hub.isFresh(row.activity.alert))
      } else {
        chunk.beginDismissal(of: row.activity, for: .dismissed)
      }
      chunk.endEvent()
      remainder.stateCount += 1
    case .items(var rows, let ref, let tellsWriter):
      guard let row = rows.popFirst() else { return dropPart(remainder) }
      remainder.parts[0] = .items(rows, ref: ref, tellsWriter: tellsWriter)
      chunk.listed(row.activity, tellsWriter: tellsWriter, ref: ref)
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

  /// One activity of the state after a subscribe, as it is now.
  private func appendState(
    _ row: Row, since: Seq, withAlerts: Bool, _ remainder: Remainder, _ chunk: inout LineWriter
  ) {
    let activity = row.activity
    // What changed meanwhile is told by this very line; what is gone was never shown.
    guard since == 0 || activity.state != .dismissed else { return }
    _ = hub.takeFromWindow(row)
    let changed = remainder.remove(activity.generation)
    guard activity.state.isShown, !hasDismissed(activity.generation) else { return }
    let isNewAlert = activity.alert.map { $0.seq >= changed ?? .max } ?? false
    chunk.beginEvent(
      activity, since: since + 1,
      withAlert: isNewAlert || withAlerts && hub.isFresh(activity.alert))
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
