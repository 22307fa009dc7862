internal import ActivityCore
internal import ActivityWire

/// What a session watches of the requests of all.
struct Monitor {
  var filter: MonitorFilter
  /// Lines that it had no room for since it was told so.
  var missed = 0
}

/// What came of a request, as far as it is told to those who only watch.
enum RequestOutcome {
  case applied, noop, ok
  case refused(ErrorCode)

  fileprivate var isRefused: Bool {
    if case .refused = self { true } else { false }
  }
}

// MARK: - Watching

extension Hub {
  /// Begins a session's watching, changes it or, without a filter, ends it.
  func monitor(_ filter: MonitorFilter?, _ request: Request, for session: Session) {
    let particulars = session.particularsMade()
    monitors.removeAll { $0 === session }
    if let filter {
      particulars.monitor = Monitor(filter: filter, missed: particulars.monitor?.missed ?? 0)
      monitors.append(session)
    } else {
      endMonitoring(session)
    }
    reply(to: session) { $0.done(.monitor, ref: request.ref) }
  }

  func endMonitoring(_ session: Session) {
    guard session.particulars?.monitor != nil else { return }
    session.particulars?.monitor = nil
    monitors.removeAll { $0 === session }
  }

  /// Tells those who watch what came of a request. Costs next to nothing while nobody does.
  ///
  /// - Parameters:
  ///   - op: Nil where it couldn't be read.
  ///   - id: The activity that it names, if it does.
  func observe(_ session: Session, op: String?, id: String?, _ outcome: RequestOutcome) {
    guard !monitors.isEmpty else { return }
    let line = LineWriter.lines { $0.observed(session, op: op, id: id, outcome, at: clock.now()) }
    for monitor in monitors {
      // What it is told begins behind the answer to its own request.
      guard monitor !== session || op != Operation.monitor.rawValue,
        monitor.watches(id: id, outcome)
      else { continue }
      tell(line, to: monitor)
    }
  }

  /// The same of an answer that leaves now that what it speaks of is on disk.
  func observe(_ answer: Answer.Body, for session: Session) {
    guard !monitors.isEmpty else { return }
    switch answer {
    case .line: break
    case .write(let write):
      observe(session, op: write.op, id: write.id, write.applied ? .applied : .noop)
    case .replay(let key, let op, _, _):
      guard let kept = coordinator.kept(key) else { return }
      observe(session, op: op, id: kept.told.id, kept.applied ? .applied : .noop)
    case .refusal(let refusal, let op, _, let id):
      observe(session, op: op, id: id, .refused(refusal.code))
    case .durable(_, let op, _), .revocation(_, let op, _):
      observe(session, op: op, id: nil, .applied)
    case .dismissal(_, let id, _, _): observe(session, op: "dismiss", id: id, .applied)
    }
  }

  private func tell(_ line: [UInt8], to session: Session) {
    guard hasRoom(session) else {
      session.particulars?.monitor?.missed += 1
      return
    }
    tellMissed(session)
    session.answers.append(lines: line)
    needsFlush(session)
  }

  /// Says how many lines a watching session wasn't told for want of room, now that there is some.
  func tellMissed(_ session: Session) {
    guard let missed = session.particulars?.monitor?.missed, missed > 0, hasRoom(session) else {
      return
    }
    session.particulars?.monitor?.missed = 0
    session.answers.missed(missed)
    needsFlush(session)
  }
}

extension Session {
  fileprivate func watches(id: String?, _ outcome: RequestOutcome) -> Bool {
    particulars?.monitor?.filter.wants(id: id, isRefused: outcome.isRefused) ?? false
  }
}

extension Request {
  /// The activity that it names.
  var activityID: String? {
    switch body {
    case .write(let write): write.id
    case .get(let id, _), .dismiss(let id, _): id
    case .action(let action): action.id
    case .hello, .list, .subscribe, .unsubscribe, .ping, .help, .quit, .stats, .clients, .monitor,
      .backup, .tokenAdd, .tokenList, .tokenRevoke:
      nil
    }
  }
}

extension LineWriter {
  fileprivate mutating func observed(
    _ session: Session, op: String?, id: String?, _ outcome: RequestOutcome, at now: Instant
  ) {
    beginObject()
    member("event", "monitor")
    member("now", now)
    member("client", session.number)
    member("device", session.device?.name)
    member("token", session.grant?.token.name)
    member("op", op)
    member("id", id)
    switch outcome {
    case .applied: member("outcome", "applied")
    case .noop: member("outcome", "noop")
    case .ok: member("outcome", "ok")
    case .refused(let code): member("error", code.rawValue)
    }
    endLine()
  }

  fileprivate mutating func missed(_ count: Int) {
    beginObject()
    member("event", "monitor")
    member("missed", count)
    endLine()
  }
}
