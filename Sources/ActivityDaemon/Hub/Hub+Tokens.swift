internal import ActivityCore
internal import ActivityWire
internal import Cryptography

// MARK: - token-add, token-list, token-revoke

extension Hub {
  func addToken(_ add: TokenAdd, _ request: Request, for session: Session) {
    let now = clock.now()
    if let refusal = refusalOfWrites ?? refusal(of: add, at: now) {
      return refuse(refusal, request, for: session)
    }
    let text = identity.makeToken()
    var token = Token(
      key: Tokens.key(of: text), hash: sha256(Array(text.utf8)), name: add.name, role: add.role,
      reach: add.reach, createdAt: now)
    token.dismissesEverywhere = add.dismissesEverywhere
    token.surface = add.surface
    token.device = add.device
    token.expiresAt = add.expires?.resolved(from: now)
    tokens.stage(add.name, by: session.actor)
    let batch = pipeline.gathering
    batch.mutations.append(.token(token))
    let line = LineWriter.lines { $0.tokenAdded(token, text, ref: request.ref) }
    answer(.durable(line, op: request.operation.rawValue, ref: request.ref), after: batch, session)
  }

  private func refusal(of add: TokenAdd, at now: Instant) -> Refusal? {
    if tokens.isTaken(add.name) {
      return Refusal(.alreadyExists, "there is a token of this name; revoke it first", key: "name")
    }
    if let expires = add.expires, expires.resolved(from: now) <= now {
      return Refusal(.badValue, "expires-date must lie ahead", key: "expires-date")
    }
    if tokens.count >= limits.tokensMax {
      return .limitReached(.tokens, "there are \(limits.tokensMax) tokens already")
    }
    return nil
  }

  func listTokens(_ request: Request, for session: Session) {
    let all = tokens.all
    let remainder = session.remainderMade()
    for token in all {
      remainder.parts.append(.line(LineWriter.lines { $0.listed(token, ref: request.ref) }))
    }
    remainder.parts.append(
      .line(LineWriter.lines { $0.listedTokens(count: all.count, ref: request.ref) }))
    needsFlush(session)
  }

  func revokeToken(_ name: String, _ request: Request, for session: Session) {
    if let refusal = refusalOfWrites { return refuse(refusal, request, for: session) }
    guard let grant = tokens.grant(named: name) else {
      let refusal = Refusal(.badValue, "there is no token of this name", key: "name")
      return refuse(refusal, request, for: session)
    }
    tokens.stageEnd(of: grant.token.key, by: session.actor)
    let batch = pipeline.gathering
    batch.mutations.append(.revoke(key: grant.token.key))
    answer(
      .revocation(grant, op: request.operation.rawValue, ref: request.ref), after: batch, session)
  }

  // MARK: What becomes of them

  /// It is durable.
  func tokenLanded(_ token: Token) {
    let actor = tokens.land(token)
    log.tokenAdded(token, by: actor)
  }

  /// Its end is durable.
  func revocationLanded(_ key: String) {
    guard let (grant, actor) = tokens.landEnd(of: key) else { return }
    log.tokenRevoked(grant.token, by: actor)
    closeSessions(of: [grant], because: .revoked)
  }

  /// Ends the tokens whose time is over, and their sessions, whether that can be stored or not.
  func expireTokens() {
    let expired = tokens.expire(at: clock.now())
    guard !expired.isEmpty else { return }
    for grant in expired {
      if refusalOfWrites == nil {
        pipeline.gathering.mutations.append(.revoke(key: grant.token.key))
      }
      log.tokenExpired(grant.token)
    }
    closeSessions(of: expired, because: .expired)
  }

  /// The store was read again: it may know of tokens, and of revocations, that seemed to have failed.
  func reloaded(_ stored: [Token]) {
    closeSessions(of: tokens.replace(with: stored), because: .revoked)
  }

  private func closeSessions(of grants: [Grant], because reason: ByeReason) {
    guard !grants.isEmpty else { return }
    let keys = Set(grants.map(\.token.key))
    let concerned = sessions.filter { session in
      session.grant.map { keys.contains($0.token.key) } ?? false
    }
    for session in concerned.sorted(by: { $0.number < $1.number }) {
      sayBye(to: session, because: reason)
    }
  }

  func sessionCount(of grant: Grant) -> Int {
    sessions.count { $0.grant === grant }
  }
}
