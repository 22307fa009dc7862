internal import ActivityCore
internal import ActivityWire
internal import EventLoop

// MARK: - From a change to those who see it

extension Hub {
  /// Tells everybody who sees an activity that it changed.
  ///
  /// - Parameter first: the seq of its first change that nobody has been told of.
  func dispatch(_ row: Row, since first: Seq, priority: Priority) {
    guard row.activity.state != .pending, row.activity.shownSeq > 0 else { return }
    if priority == .low, limits.lowPriorityWindow.microseconds > 0 {
      window.hold(row, since: first)
      return
    }
    deliver(row, since: window.take(row) ?? first, isHigh: priority == .high)
  }

  /// The window of the low priority is over, or somebody is about to look.
  package func endLowPriorityWindow() {
    for (row, seq) in window.takeAll() { deliver(row, since: seq, isHigh: false) }
  }

  /// One session is about to be sent an activity as it is now. If its newest change waits in the
  /// window it goes to all, so that nobody is sent it twice.
  ///
  /// - Returns: whether it did.
  func takeFromWindow(_ row: Row) -> Bool {
    guard let seq = window.take(row) else { return false }
    deliver(row, since: seq, isHigh: false)
    return true
  }

  /// Whether something waits for the end of the window.
  package var isWindowOpen: Bool { !window.isEmpty }

  private func deliver(_ row: Row, since first: Seq, isHigh: Bool) {
    guard !views.isEmpty else { return }
    let activity = row.activity
    // Nobody was told that it started: nobody need be told that it is gone.
    if activity.state == .dismissed, activity.shownSeq >= first { return }
    var lines = EventLines(of: activity)
    for view in views.holding(activity) {
      for session in view.others { touch(session, activity, since: first, isHigh) }
      guard !view.inStep.isEmpty else { continue }
      let range = line(&lines, on: view.surface, since: first)
      if view.lines.isEmpty { touchedViews.append(view) }
      view.append(range)
      statistics.deliveries += view.inStep.count
    }
  }

  private func touch(
    _ session: Session, _ activity: Activity, since first: Seq, _ isHigh: Bool
  ) {
    let generation = activity.generation
    guard !session.isDeaf, !session.hasDismissed(generation) else { return }
    let remainder = session.remainderMade()
    defer { needsFlush(session) }
    // What came and went while it waited: nothing is kept of it, however much that is.
    if let unsent = remainder.firstSeq(of: generation), !activity.isWorthSending(since: unsent) {
      return _ = remainder.remove(generation)
    }
    if remainder.isDirty(generation) { statistics.conflated += 1 }
    remainder.touch(generation, since: first, isHigh: isHigh)
  }

  /// An event, encoded once for all in step on a surface.
  private func line(
    _ lines: inout EventLines, on surface: Surface, since first: Seq
  ) -> Range<Int> {
    let isRedacted = surface == .public && lines.hidesSomething
    if let line = isRedacted ? lines.redacted : lines.whole { return line }
    let start = arena.count
    arena.beginEvent(isRedacted ? lines.activity.forPublic : lines.activity, since: first)
    arena.endEvent()
    let line = start..<arena.count
    if isRedacted { lines.redacted = line } else { lines.whole = line }
    return line
  }

  /// The newest seq of which, and of everything below it, all that are in step have been told.
  var settledSeq: Seq { window.firstSeq.map { $0 - 1 } ?? visibleSeq }

  func needsFlush(_ session: Session) {
    guard !session.isInFlushList, !session.isClosed else { return }
    session.isInFlushList = true
    flushList.append(session)
  }

  /// This turn had no time for what a session is to be told: it comes first in the next.
  func needsFlushFirst(_ session: Session) {
    guard !session.isInFlushList, !session.isClosed else { return }
    session.isInFlushList = true
    flushFirst.append(session)
  }
}

// MARK: - The end of a turn

extension Hub {
  /// Room that a large turn needed is given back.
  private static let arenaBytesKept = 1 << 22
  /// To write to fewer takes less time than a commit.
  private static let sessionsWorthWaiting = 64
  /// With so many a call isn't what costs.
  private static let bytesWorthACall = 32_768
  /// A commit that takes longer isn't waited for.
  package static let commitMilliseconds: Int64 = 2
  /// So many aren't waited for after one that took longer.
  private static let commitsSkipped = 32
  /// What one turn does, of all sessions together, for those that aren't in step, so that it takes
  /// a few milliseconds: a step is to look at one of many activities, with all that has to be
  /// brought from memory for it some 1 us.
  private static let stepsPerTurn = 4_096
  /// To encode and write one.
  static let stepsPerLine = 4

  /// Sends the store what has gathered and writes to every session that has something coming.
  /// To be called once, before the loop waits.
  ///
  /// - Returns: whether there is more to do right away: call again without waiting.
  package func endTurn() -> Bool {
    proceedWaiting()
    advance()
    submit()
    if !waitsForCommit() { flushViews() }

    stepsLeft = Self.stepsPerTurn
    let sessions = flushFirst.isEmpty ? flushList : flushFirst + flushList
    flushFirst.removeAll()
    flushList.removeAll(keepingCapacity: true)
    for session in sessions {
      session.isInFlushList = false
      flush(session)
    }
    // Sessions that go on now may have decided more, behind the batch that was just sent.
    proceedWaiting()
    return !flushFirst.isEmpty || !flushList.isEmpty || pipeline.hasNext
      || !touchedViews.isEmpty && awaitedCommit == nil
  }

  private func flushViews() {
    // A write that fails may lead to more lines.
    while let view = touchedViews.popLast() { flush(view) }
    if arena.capacity < Self.arenaBytesKept {
      arena.removeAll()
    } else {
      arena = LineWriter()
    }
  }

  /// Whether lines wait for a commit; if that is late, another turn is wanted `commitMilliseconds`
  /// later.
  package var awaitsCommit: Bool { awaitedCommit != nil }

  /// Whether the lines for those in step wait for the commit under way, whose lines may go to the
  /// same: many sessions are then written to once and not twice, and a call costs more than what it
  /// carries. They wait for this one commit, and not for long.
  private func waitsForCommit() -> Bool {
    guard let commit = pipeline.inFlight?.number, !touchedViews.isEmpty else {
      awaitedCommit = nil
      return false
    }
    let now = clock.monotonicMilliseconds()
    if let awaited = awaitedCommit {
      if awaited.number == commit, now < awaited.until { return true }
      // It is late, as the next ones may be: a disk like this isn't waited for often.
      if awaited.number == commit { commitsNotAwaited = Self.commitsSkipped }
      awaitedCommit = nil
      return false
    }
    guard commitsNotAwaited == 0 else {
      commitsNotAwaited -= 1
      return false
    }
    let sessions = touchedViews.reduce(0) { $0 + $1.inStep.count }
    guard sessions >= Self.sessionsWorthWaiting, arena.count < Self.bytesWorthACall else {
      return false
    }
    awaitedCommit = (commit, now + Self.commitMilliseconds)
    return true
  }

  /// Writes this turn's lines to all that are in step: the same bytes for all, but for the cursor.
  func flush(_ view: View) {
    guard !view.lines.isEmpty else { return }
    var blocked: [Session] = []
    var failed: [Session] = []
    let seq = settledSeq
    // The arena is lent all the while; no transport calls back.
    unsafe arena.withUnsafeBytes { arena in
      unsafe withUnsafeTemporaryAllocation(of: WriteSlice.self, capacity: view.lines.count + 2) {
        memory in
        // Slot 0 is for a session's own answers, the last one for its cursor.
        var total = 0
        for (index, line) in view.lines.enumerated() {
          let isLast = index == view.lines.count - 1
          let end = isLast ? line.upperBound - LineWriter.endBytes : line.upperBound
          let bytes = unsafe UnsafeRawBufferPointer(rebasing: arena[line.lowerBound..<end])
          unsafe (memory.baseAddress! + 1 + index).initialize(to: WriteSlice(bytes))
          total += bytes.count
        }
        let gather = unsafe GatherList(slices: memory, lineBytes: total)
        unsafe write(gather, to: view.inStep, upTo: seq, blocked: &blocked, failed: &failed)
      }
    }
    view.removeLines()
    for session in blocked { leaveStep(session) }
    for session in failed { becomeDeaf(session) }
  }

  private func write(
    _ gather: GatherList, to sessions: [Session], upTo seq: Seq, blocked: inout [Session],
    failed: inout [Session]
  ) {
    var tail = LineWriter()
    var tailHash: UInt64?
    let now = clock.monotonicMilliseconds()
    for session in sessions {
      if tailHash != session.cursorHash {
        tail.removeAll()
        tail.endEvent(cursor: Cursor(epoch: identity.epoch, seq: seq, hash: session.cursorHash))
        tailHash = session.cursorHash
      }
      session.cursorSeq = seq
      session.spokenAt = now
      do throws(UVError) {
        let isWhole = try unsafe tail.withUnsafeBytes { (tail) throws(UVError) in
          try unsafe session.write(gather, tail: tail)
        }
        if !isWhole { blocked.append(session) }
      } catch {
        failed.append(session)
      }
    }
  }

  /// Takes a session out of step: its socket holds it up, or it has something of its own.
  func leaveStep(_ session: Session) {
    guard session.isInStep, let view = session.view else { return }
    // What the view has gathered is the session's too.
    flush(view)
    guard session.isInStep else { return }
    view.remove(session)
    view.add(session, inStep: false)
  }
}

/// The lines of one event in the hub's arena: as devices in private are sent it, and as those in
/// public are, where that differs. Each is encoded when somebody is to have it.
private struct EventLines {
  let activity: Activity
  let hidesSomething: Bool
  var whole: Range<Int>?
  var redacted: Range<Int>?

  init(of activity: Activity) {
    self.activity = activity
    hidesSomething = !activity.sensitive.isEmpty && activity.state != .dismissed
  }
}

/// The slices of one gathered write: room for a session's answers, the turn's lines, and room for
/// a tail.
@unsafe struct GatherList {
  let slices: UnsafeMutableBufferPointer<WriteSlice>
  let lineBytes: Int
}

extension Session {
  /// Writes the session's answers and the gathered lines at once.
  ///
  /// - Returns: whether the socket took all of it; if not, the rest is being written.
  fileprivate func write(
    _ gather: GatherList, tail: UnsafeRawBufferPointer
  ) throws(UVError) -> Bool {
    let slices = unsafe gather.slices
    unsafe (slices.baseAddress! + slices.count - 1).initialize(to: WriteSlice(tail))
    let lines = unsafe UnsafeBufferPointer(rebasing: slices[1...])
    let total = unsafe gather.lineBytes + tail.count
    guard !answers.isEmpty else { return try unsafe send(lines, total: total) }
    return try unsafe answers.take().withUnsafeBytes { (own) throws(UVError) -> Bool in
      unsafe slices.baseAddress!.initialize(to: WriteSlice(own))
      return try unsafe send(UnsafeBufferPointer(slices), total: total + own.count)
    }
  }

  /// Writes what the socket takes now; what is left is copied and written as it takes it.
  func send(_ slices: UnsafeBufferPointer<WriteSlice>, total: Int) throws(UVError) -> Bool {
    let taken = try unsafe transport.tryWrite(slices)
    // What is encrypted is taken, and may still be being written.
    guard taken < total else { return !transport.isWriting }
    try unsafe transport.write(slices, from: taken)
    return false
  }
}
