internal import ActivityCore
internal import ActivityWire

// MARK: - The passing of time

extension Hub {
  /// A half-closed session is pinged after so much silence, so that a dead one is found.
  private static let halfClosedSilence: Int64 = 30_000
  /// A session that was told everything, the end too, may take so long to end itself.
  private static let lingerMilliseconds: Int64 = 2_000
  /// So many pings may go unanswered.
  private static let unansweredPingsMax = 2
  private static let byesPerTurn = 1_024

  /// To be called once a second: timeouts, keepalives and the store's trial.
  package func tick() {
    promotedSeq = seqAtLastTick
    seqAtLastTick = visibleSeq
    tryStore()
    log.endSecond()
    monitors.forEach(tellMissed)
    expireTokens()
    let now = clock.monotonicMilliseconds()
    devices.forgetPaces(at: now)
    for session in sessions {
      session.retryPaced(at: now)
      checkAuthentication(of: session, at: now)
      check(session, at: now)
    }
  }

  private func check(_ session: Session, at now: Int64) {
    if session.isShutDown {
      if now - session.spokenAt >= Self.lingerMilliseconds { session.transport.close() }
      return
    }
    if session.transport.isWriting, isNotReading(session, at: now) {
      return drop(session, because: "not-reading")
    }
    guard !session.isFinishing, !session.transport.isWriting else { return }
    if session.hasEnded {
      if now - session.spokenAt >= Self.halfClosedSilence { ping(session) }
    } else if let keepalive = session.particulars?.settings.keepalive, keepalive > 0,
      !session.isHeld
    {
      guard now - session.spokenAt >= keepalive * 1_000 else { return }
      if session.unansweredPings >= Self.unansweredPingsMax {
        sayBye(to: session, because: .noAnswer)
      } else {
        session.unansweredPings += 1
        ping(session)
      }
    }
  }

  /// Whether something has waited too long without the peer taking even a part of it.
  private func isNotReading(_ session: Session, at now: Int64) -> Bool {
    let unread = Int32(clamping: session.transport.unreadBytes)
    if unread != session.unreadBytes {
      session.unreadBytes = unread
      session.spokenAt = now
    }
    return now - session.spokenAt >= limits.notReadingMax.microseconds / 1_000
  }

  private func ping(_ session: Session) {
    if session.isInStep, let view = session.view { flush(view) }
    let cursor = session.interest == nil ? nil : session.nextCursor(session.remainder)
    session.answers.ping(now: clock.now(), cursor: cursor)
    needsFlush(session)
  }

  /// The wall clock was set: every device is told the new time.
  package func clockWasSet() {
    advance()
    for session in sessions where session.interest != nil && !session.isFinishing {
      ping(session)
    }
    proceedWaiting()
  }
}

// MARK: - Stopping

extension Hub {
  /// Takes no more requests; what was accepted is carried out and answered.
  package func beginStopping() {
    isStopping = true
    for session in sessions {
      session.transport.stopReading()
      session.isReading = true
    }
  }

  /// Whether everybody has been told everything, the end too.
  package var isDrained: Bool { sessions.allSatisfy(\.isShutDown) }

  /// Says `bye` to some of those who haven't been told yet, each with another time to come back.
  ///
  /// - Returns: whether everybody has been told.
  package func sayByeToSome() -> Bool {
    endLowPriorityWindow()
    let within = returnWithin
    for session in Array(sessions.lazy.filter { !$0.isFinishing }.prefix(Self.byesPerTurn)) {
      let wait = 1_000 + Int64(Double(within) * identity.jitter())
      sayBye(
        to: session, because: .shuttingDown,
        reconnectAfter: TimeSpan(microseconds: wait * 1_000))
    }
    return sessions.allSatisfy(\.isFinishing)
  }

  /// Within how many milliseconds clients are to come back: not more of them a second than are let
  /// in.
  private var returnWithin: Int64 {
    max(5_000, Int64(sessions.count) * 1_000 / Int64(limits.newConnectionsPerSecondMax))
  }
}
