internal import ActivityCore
internal import ActivityWire

// MARK: - Who may ask for what

extension Hub {
  /// Why a session may not ask for something, whatever it concerns. What it concerns is looked at
  /// when it is carried out.
  func refusalOfRights(of session: Session, to request: Request) -> Refusal? {
    let operation = request.operation
    guard let role = session.role else {
      guard !operation.isForAnybody else { return nil }
      return Refusal(
        .unauthorized,
        "\(operation.rawValue) needs a token here: {\"op\":\"hello\",\"token\":…} comes first")
    }
    let needed = request.role
    guard role < needed else { return nil }
    // What a person does on a device, if its token says so.
    if operation == .dismiss, session.grant?.token.dismissesEverywhere ?? false { return nil }
    return Refusal(
      .forbidden,
      "\(operation.rawValue) needs role \(needed.rawValue); this connection has role "
        + "\(role.rawValue). \(Self.whereToGetRoles)")
  }

  private static let whereToGetRoles =
    "Publishers use the Unix socket as the daemon's user or a configured group, show a token of "
    + "that role, or --loopback-role publisher"

  /// A session shows a token: it gets what that grants, or is told goodbye.
  ///
  /// - Returns: nil if it is wrong; all is said then.
  func grant(for text: String, _ request: Request, _ session: Session) -> Grant? {
    let reason: StaticString
    let name: String?
    switch tokens.check(text, at: clock.now()) {
    case .valid(let grant): return grant
    case .expired(let grant): (reason, name) = ("expired", grant.token.name)
    case .unknown: (reason, name) = ("unknown", nil)
    }
    statistics.unauthorized += 1
    log.unauthorized(session, reason, token: name)
    let refusal = Refusal(
      .unauthorized, "this token isn't known, or it is no longer valid", key: "token")
    refuse(refusal, request, for: session)
    sayBye(to: session, because: .unauthorized)
    return nil
  }

  /// From here on the session has the rights of a token.
  func admit(_ session: Session, with grant: Grant) {
    if session.role == nil { unauthenticatedCount -= 1 }
    session.particularsMade().grant = grant
    session.role = grant.token.role
    session.framer.lineBytesMax = limits.lineBytesMax
  }

  /// To be called once a second: whoever has to show a token has so long, whatever it sends
  /// meanwhile.
  func checkAuthentication(of session: Session, at now: Int64) {
    guard session.role == nil, !session.isFinishing,
      now - session.connectedAt >= limits.helloWithin.microseconds / 1_000
    else { return }
    statistics.unauthenticatedTimeouts += 1
    log.dropped(session, "no-token")
    sayBye(to: session, because: .unauthorized)
  }

  /// Why one more connection that has to show a token can't be had; nil if it can.
  var refusalOfUnauthenticated: Refusal? {
    guard unauthenticatedCount >= limits.unauthenticatedMax else { return nil }
    return .limitReached(
      .unauthenticated,
      "\(limits.unauthenticatedMax) connections have still to show a token",
      retryAfter: limits.helloWithin)
  }
}

extension Request {
  /// The role it needs: to dismiss for everybody is a publisher's right.
  fileprivate var role: Role {
    if case .dismiss(_, everywhere: true) = body { return .publisher }
    return operation.role
  }
}

extension Operation {
  /// What may be asked before a token is shown, where one is needed.
  fileprivate var isForAnybody: Bool {
    switch self {
    case .hello, .help, .ping, .quit: true
    default: false
    }
  }
}
