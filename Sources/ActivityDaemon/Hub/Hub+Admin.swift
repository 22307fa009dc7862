internal import ActivityCore
internal import ActivityWire

// MARK: - For operators

extension Hub {
  /// Tells what the daemon holds, and what it has done since it started. Never content.
  func stats(_ request: Request, for session: Session) {
    let figures = Figures(self)
    reply(to: session) { line in
      line.beginAnswer("stats", request.ref)
      line.member("uptime", figures.uptime)
      line.member("epoch", identity.epoch)
      line.member("seq", visibleSeq)
      line.member("floor", floor)
      line.key("activities")
      line.beginObject()
      line.member("pending", coordinator.count(.pending))
      line.member("active", coordinator.count(.active))
      line.member("stale", coordinator.count(.stale))
      line.member("ended", coordinator.count(.ended))
      line.endObject()
      line.member("tombstones", coordinator.count(.dismissed))
      line.member("deadlines", coordinator.deadlineCount)
      line.member("idempotency-keys", coordinator.outcomeCount)
      line.member("tokens", tokens.count)
      line.append(figures)
      line.append(statistics)
      line.member("turn-longest", Self.seconds(Int64(longestTurnNanoseconds() / 1_000)))
      if let handshakes = handshakes() { line.append(handshakes) }
      line.endLine()
    }
  }

  /// Tells who is connected, a line each.
  func clients(_ request: Request, for session: Session) {
    let clients = ClientListing(sessions.sorted { $0.number < $1.number }, ref: request.ref)
    session.remainderMade().parts.append(.clients(clients))
    needsFlush(session)
  }

  fileprivate static func seconds(_ microseconds: Int64) -> TimeSpan {
    TimeSpan(microseconds: microseconds)
  }
}

/// A `clients` that is being answered.
final class ClientListing {
  private var clients: ArraySlice<Session>
  private let ref: JSONText?
  private var count = 0

  init(_ clients: [Session], ref: JSONText?) {
    self.clients = clients[...]
    self.ref = ref
  }

  /// Appends the next line; answers whether it was the last one.
  func append(to chunk: inout LineWriter, at now: Int64) -> Bool {
    while let client = clients.popFirst() {
      guard !client.isClosed else { continue }
      chunk.beginObject()
      chunk.key("client")
      client.append(to: &chunk, at: now)
      chunk.member("ref", ref)
      chunk.endLine()
      count += 1
      return false
    }
    chunk.beginAnswer("clients", ref)
    chunk.member("count", count)
    chunk.endLine()
    return true
  }
}

/// What is counted when `stats` asks.
private struct Figures {
  let uptime: TimeSpan
  var sessions = 0
  var subscribed = 0
  var inStep = 0
  /// Changes that wait for a socket or a pace, of all sessions.
  var dirty = 0
  var paced = 0
  var unauthenticated = 0

  init(_ hub: Hub) {
    uptime = .seconds((hub.clock.monotonicMilliseconds() - hub.startedAt) / 1_000)
    sessions = hub.sessions.count
    unauthenticated = hub.unauthenticatedCount
    for session in hub.sessions {
      if session.view != nil { subscribed += 1 }
      if session.isInStep { inStep += 1 }
      dirty += session.remainder?.dirty.count ?? 0
      paced += session.remainder?.paced.count ?? 0
    }
  }
}

extension LineWriter {
  fileprivate mutating func append(_ figures: Figures) {
    member("sessions", figures.sessions)
    member("subscribed", figures.subscribed)
    member("in-step", figures.inStep)
    member("dirty", figures.dirty)
    member("paced", figures.paced)
    member("unauthenticated", figures.unauthenticated)
  }

  fileprivate mutating func append(_ statistics: Statistics) {
    member("requests", statistics.requests)
    member("refused", statistics.refused)
    member("limit-reached", statistics.reached)
    member("deliveries", statistics.deliveries)
    member("conflated", statistics.conflated)
    member("resumed", statistics.resumed)
    member("reset", statistics.reset)
    member("unauthorized", statistics.unauthorized)
    member("unauthenticated-timeouts", statistics.unauthenticatedTimeouts)
    member("commits", statistics.commits)
    member("failed-commits", statistics.failedCommits)
    member("changes", statistics.changes)
    member("commit-changes-largest", statistics.changesMax)
    member("commit-seconds", Hub.seconds(statistics.commitMicroseconds))
    member("commit-longest", Hub.seconds(statistics.commitMicrosecondsMax))
  }
}

extension LineWriter {
  fileprivate mutating func append(_ handshakes: HandshakeStatistics) {
    key("handshakes")
    beginObject()
    member("under-way", handshakes.underWay)
    member("completed", handshakes.completed)
    member("plain", handshakes.plain)
    member("timed-out", handshakes.timedOut)
    member("failed", handshakes.failed)
    endObject()
  }
}

extension Session {
  fileprivate func append(to line: inout LineWriter, at now: Int64) {
    line.beginObject()
    line.member("session", number)
    line.member("peer", peerDescription)
    line.member("role", role?.rawValue ?? "none")
    line.member("token", grant?.token.name)
    line.member("device", device?.name)
    line.member("connected", TimeSpan(microseconds: (now - connectedAt) * 1_000))
    line.member("keys", interest?.keyCount)
    if interest?.all ?? false { line.member("all", true) }
    if wantsFeedback { line.member("feedback", true) }
    line.member("in-step", isInStep)
    line.member("dirty", remainder?.dirty.count ?? 0)
    line.member("paced", remainder?.paced.count ?? 0)
    line.member("unread-bytes", transport.unreadBytes)
    line.member("updates-per-hour", pace?.updatesPerHour)
    line.member("updates-left", pace?.updatesLeft)
    if settings.interval.microseconds > 0 { line.member("interval", settings.interval) }
    line.endObject()
  }
}
