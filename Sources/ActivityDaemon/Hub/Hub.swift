package import ActivityCore
package import ActivityWire
internal import EventLoop

/// The daemon without its sockets, clocks and disk: sessions, coordinator, commit pipeline and
/// delivery.
///
/// Theory of operation. The shell reports what happens (`connect`, `received`, `committed`,
/// `advance`, …) and calls `endTurn` once before it waits for the next thing. What is reported only
/// changes state and gathers; `endTurn` sends the gathered batch to the store, writes to each
/// session once, and says when it wants to be woken. Nothing here blocks, and all of it runs on one
/// thread.
package final class Hub {
  package var limits: Limits { didSet { limitsChanged() } }
  package let clock: any Clock
  let coordinator: Coordinator
  private(set) var reader: RequestReader
  let identity: Identity
  package var committer: (any Committer)!
  package var log: Log
  /// Told when the store can't be used any more, whatever is retried.
  package var onUnusableStore: ((StoreError) -> Void)?
  /// Has the store copied, to this path if there is one; `backedUp` is told what came of it.
  package var onBackup: ((_ path: String?) -> Void)?
  var backup: PendingBackup?

  // What is durable.
  package internal(set) var visibleSeq: Seq
  package internal(set) var floor: Seq
  var pipeline = CommitPipeline()

  // Who is connected.
  /// Each knows its place. (No dictionary: its order is another with each run.)
  package internal(set) var sessions: [Session] = []
  private var lastSessionNumber = 0
  var visitors = Visitors()
  var views = Views()
  var devices = Devices()
  var feedbackSessions: [Session] = []
  /// Those that are told what is asked of the daemon.
  var monitors: [Session] = []
  var tokens = Tokens()
  /// Sessions that have still to show a token.
  var unauthenticatedCount = 0

  // Delivery.
  /// The lines of this turn.
  var arena = LineWriter()
  var touchedViews: [View] = []
  /// The commit whose lines are to go with those that are there, until some monotonic millisecond.
  var awaitedCommit: (number: Int, until: Int64)?
  /// So many more aren't waited for.
  var commitsNotAwaited = 0
  var flushList: [Session] = []
  /// Those that had no share of the turn before.
  var flushFirst: [Session] = []
  /// How much may still be done in this turn for those who are told of much.
  var stepsLeft = 0
  var window = LowPriorityWindow()
  /// Changes at or below this seq have waited so long that their priority counts as 10.
  var promotedSeq: Seq = 0
  var seqAtLastTick: Seq = 0
  /// Sessions that may go on with their input once what happens now is done.
  var proceeding: [Session] = []

  package internal(set) var isStopping = false
  package var statistics = Statistics()
  let startedAt: Int64
  /// The work of the loop's longest turn, in nanoseconds; the shell knows it.
  package var longestTurnNanoseconds: () -> UInt64 = { 0 }
  /// What became of TLS handshakes; nil where there are none.
  package var handshakes: () -> HandshakeStatistics? = { nil }

  /// What the daemon is, for banner and cursors.
  package struct Identity {
    package var epoch: String
    package var version: String
    package var timeScale: Int
    /// Makes up the id of an activity or the name of a device; unguessable.
    package var makeID: () -> String
    /// Makes up a token, `<public part>.<secret part>`; nobody must be able to guess the latter.
    package var makeToken: () -> String
    /// Draws a number from 0 up to 1, so that not all clients come back at once.
    package var jitter: () -> Double

    package init(
      epoch: String, version: String, timeScale: Int, jitter: @escaping () -> Double = { 0 },
      makeToken: @escaping () -> String = RandomID.makeToken, makeID: @escaping () -> String
    ) {
      self.epoch = epoch
      self.version = version
      self.timeScale = timeScale
      self.makeID = makeID
      self.jitter = jitter
      self.makeToken = makeToken
    }
  }

  package init(
    limits: Limits, identity: Identity, store: StoreIdentity, clock: any Clock, log: Log
  ) {
    self.limits = limits
    self.identity = identity
    self.clock = clock
    self.log = log
    startedAt = clock.monotonicMilliseconds()
    coordinator = Coordinator(limits: limits)
    reader = RequestReader(limits: limits)
    visibleSeq = store.lastSeq
    floor = store.floor
    seqAtLastTick = store.lastSeq
  }

  deinit {
    // A session and the view that it is in hold each other.
    for session in sessions { session.view = nil }
  }

  private func limitsChanged() {
    coordinator.limits = limits
    reader = RequestReader(limits: limits)
  }

  /// Before `restore`: so many activities are coming.
  package func reserveRoom(for activityCount: Int) {
    coordinator.reserveRoom(for: activityCount)
  }

  /// Takes what the store holds, before anybody is connected; `finishRestoring` ends it.
  package func restore(_ item: StoredItem) {
    switch item {
    case .activity(let activity): coordinator.restore(activity)
    case .dismissal(let dismissal): devices.land(dismissal, seq: dismissal.seq)
    case .outcome(let outcome): coordinator.land(outcome)
    case .token(let token): tokens.land(token)
    }
  }

  package func finishRestoring() {
    coordinator.finishRestoring()
  }
}

// MARK: - Sessions

extension Hub {
  /// A connection was made. Its banner is on its way.
  ///
  /// - Parameter visitor: nil: it isn't counted among anybody's connections.
  package func connect(
    _ transport: any Transport, peer: Peer, visitor: Visitor? = nil
  ) -> Session {
    lastSessionNumber += 1
    let session = Session(
      hub: self, transport: transport, peer: peer, visitor: visitor, number: lastSessionNumber,
      now: clock.monotonicMilliseconds())
    visitors.enter(visitor)
    session.place = sessions.count
    sessions.append(session)
    let refusal = peer.needsToken ? refusalOfUnauthenticated : nil
    if peer.needsToken { unauthenticatedCount += 1 }
    if limits.updatesPerHourDefault != nil { setPace(of: session, session.settings) }
    session.answers.welcome(
      Banner(
        version: identity.version, epoch: identity.epoch, seq: visibleSeq, now: clock.now(),
        role: session.role, lineBytesMax: limits.lineBytesMax, timeScale: Int64(identity.timeScale))
    )
    needsFlush(session)
    if let refusal {
      log.dropped(session, "too-many-without-token")
      refuse(refusal, op: nil, ref: nil, to: session)
      sayBye(to: session, because: .limitReached, reconnectAfter: refusal.retryAfter)
    }
    return session
  }

  package func received(_ chunk: RawSpan, from session: Session) {
    session.received(chunk)
    proceedWaiting()
    keepStoreBusy()
  }

  /// The client sends no more; what it sent is carried out and answered.
  package func reachedEnd(_ session: Session) {
    session.reachedEnd()
    if session.isShutDown { session.transport.close() }
    proceedWaiting()
  }

  /// What was being written is written.
  package func drained(_ session: Session) {
    session.spokenAt = clock.monotonicMilliseconds()
    needsFlush(session)
  }

  /// Writing failed: nothing more is answered, but what is still read is carried out.
  package func writeFailed(_ session: Session) {
    becomeDeaf(session)
    proceedWaiting()
  }

  /// Takes back all that was to be told. The session goes on later, not amid what is being written
  /// or landed.
  func becomeDeaf(_ session: Session) {
    guard !session.isDeaf else { return }
    session.isDeaf = true
    session.noteEnding("lost")
    session.answers = LineWriter()
    session.remainder = nil
    leaveView(session)
    session.particulars?.interest = nil
    endMonitoring(session)
    if session.isFinishing { session.transport.close() }
    proceeding.append(session)
  }

  /// Reading failed: the client is gone. What it sent before is carried out.
  package func readFailed(_ session: Session) {
    writeFailed(session)
    session.reachedEnd()
    proceedWaiting()
  }

  /// The input has ended, and whether it was meant to end there nobody knows: a last line without a
  /// newline isn't carried out.
  package func cutOff(_ session: Session) {
    session.isCutOff = true
    reachedEnd(session)
  }

  /// The connection is closed, whoever closed it.
  package func closed(_ session: Session) {
    guard !session.isClosed else { return }
    session.isClosed = true
    visitors.leave(session.visitor)
    if session.role == nil { unauthenticatedCount -= 1 }
    leaveView(session)
    feedbackSessions.removeAll { $0 === session }
    endMonitoring(session)
    session.noteEnding("gone")
    session.remainder = nil
    session.held = nil
    let last = sessions.removeLast()
    if last !== session {
      sessions[session.place] = last
      last.place = session.place
    }
    if let device = session.device {
      if device.session === session { device.session = nil }
      devices.release(device)
    }
    log.closed(session, at: clock.monotonicMilliseconds())
  }

  /// Closes a session whose client has sent everything, once it is answered and sees nothing.
  func closeIfDone(_ session: Session) {
    guard session.hasEnded, !session.isFinishing, !session.hasWork, session.held == nil,
      session.interest == nil, session.particulars?.monitor == nil
    else { return }
    sayBye(to: session, because: .halfClosed)
  }

  /// Says `bye` and closes once that is written.
  package func sayBye(
    to session: Session, because reason: ByeReason, reconnectAfter: TimeSpan? = nil
  ) {
    guard !session.isFinishing, !session.isClosed else { return }
    session.noteEnding(reason.rawValue)
    leaveView(session)
    session.remainder = nil
    guard session.outstanding == 0 else {
      // What it asked for is answered first; it is told of nothing else.
      session.particularsMade().farewell = Session.Farewell(
        reason: reason, reconnectAfter: reconnectAfter)
      return
    }
    session.isFinishing = true
    session.held = nil
    session.answers.bye(reason, reconnectAfter: reconnectAfter)
    needsFlush(session)
  }

  /// Closes at once.
  func drop(_ session: Session, because reason: StaticString) {
    session.noteEnding(reason.description)
    log.dropped(session, reason)
    session.isFinishing = true
    leaveView(session)
    session.transport.close()
  }

  /// Lets sessions go on that waited for what has just happened.
  func proceedWaiting() {
    while !proceeding.isEmpty {
      let waiting = proceeding
      proceeding.removeAll()
      for session in waiting {
        session.proceed()
        closeIfDone(session)
      }
    }
  }
}
