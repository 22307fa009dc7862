package import ActivityCore
internal import ActivityWire

// MARK: - Connections

extension Hub {
  /// So many admins of this machine are let in when everybody else is turned away.
  private static let connectionsForAdmins = 16
  /// When who was turned away should try again, at the earliest and at the latest, in milliseconds.
  private static let returnAfter = 5_000.0...15_000.0

  /// Whether there is room for one connection more; if there is, `connect` may follow.
  ///
  /// - Returns: nil if it is let in, else what it is to be sent before it is closed.
  package func turnAway(_ visitor: Visitor, _ role: Role) -> [UInt8]? {
    guard let (quota, message) = full(for: visitor, role) else { return nil }
    log.turnedAway(visitor, quota)
    return refusalOfConnection(quota, message)
  }

  /// What somebody is to be sent for whom there is no descriptor.
  package func turnAwayForWantOfDescriptors() -> [UInt8] {
    refusalOfConnection(.connections, "no descriptor is left for another connection")
  }

  private func full(for visitor: Visitor, _ role: Role) -> (Quota, String)? {
    let mayUseReserve: Bool
    let (quota, limit): (Quota, Int)
    switch visitor {
    case .user:
      mayUseReserve = role == .admin
      (quota, limit) = (.connectionsPerUser, limits.connectionsPerUserMax)
    case .host:
      mayUseReserve = false
      (quota, limit) = (.connectionsPerAddress, limits.connectionsPerAddressMax)
    }
    if visitors.count(of: visitor) >= limit {
      return (quota, "\(visitor) has \(limit) connections already")
    }
    let room = limits.connectionsMax + (mayUseReserve ? Self.connectionsForAdmins : 0)
    if sessions.count >= room { return (.connections, "there are \(room) connections already") }
    return nil
  }

  private func refusalOfConnection(_ quota: Quota, _ message: String) -> [UInt8] {
    let range = Self.returnAfter
    let wait = range.lowerBound + (range.upperBound - range.lowerBound) * identity.jitter()
    let retryAfter = TimeSpan(microseconds: Int64(wait) * 1_000)
    let refusal = Refusal.limitReached(quota, message, retryAfter: retryAfter)
    statistics.refused(refusal)
    return LineWriter.lines { lines in
      lines.refused(refusal, op: nil, ref: nil)
      lines.bye(.limitReached, reconnectAfter: retryAfter)
    }
  }
}

// MARK: - Requests

extension Hub {
  /// Counts a request; answers why it comes too soon, if it does.
  func refusalOfRate(_ request: Request, of session: Session) -> Refusal? {
    // Leaving is always allowed.
    guard request.operation != .quit else { return nil }
    if let refusal = refusalOfRequest(from: session) { return refusal }
    guard request.operation == .action else { return nil }
    let limit = limits.actionsPerSecondMax
    let now = clock.monotonicMicroseconds()
    return session.particularsMade().actions.wait(perSecond: limit, at: now).map { wait in
      .limitReached(.actions, "more than \(limit) actions a second", retryAfter: wait)
    }
  }

  private func refusalOfRequest(from session: Session) -> Refusal? {
    let quota: Quota
    let limit: Int
    if !session.isPublisher {
      (quota, limit) = (.requests, limits.requestsPerSecondMax)
    } else if let publishers = limits.publisherRequestsPerSecondMax {
      (quota, limit) = (.publisherRequests, Int(publishers))
    } else {
      return nil
    }
    return session.requests.wait(perSecond: limit, at: clock.monotonicMicroseconds()).map { wait in
      .limitReached(quota, "more than \(limit) requests a second", retryAfter: wait)
    }
  }
}

// MARK: - Dismissals

extension Hub {
  /// Why a device can't dismiss anything more for itself; nil if it can.
  func refusalOfDismissal(by session: Session) -> Refusal? {
    let limit = limits.dismissalsPerDeviceMax
    if session.ownDismissalCount >= limit {
      return .limitReached(
        .dismissalsPerDevice, "this device has dismissed \(limit) activities already")
    }
    guard session.device != nil, devices.dismissalCount >= limits.dismissalsMax else { return nil }
    return .limitReached(
      .dismissals, "devices have dismissed \(limits.dismissalsMax) activities for themselves")
  }

  /// Notes what a session without a named device dismissed for itself; it is forgotten with the
  /// connection, at the latest.
  func keepDismissal(of generation: Generation, by session: Session) {
    let particulars = session.particularsMade()
    // Those whose tombstones are gone, most of them gone from its view before, go now and then.
    if particulars.dismissed.count >= particulars.dismissed.capacity {
      particulars.dismissed = particulars.dismissed.filter {
        coordinator.row(generation: $0) != nil
      }
    }
    particulars.dismissed.insert(generation)
    leaveStep(session)
  }
}
