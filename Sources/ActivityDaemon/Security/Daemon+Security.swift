internal import Cryptography
internal import EventLoop

/// Whoever connects where TLS is spoken.
extension Daemon {
  func makeHandshakes() -> Handshakes {
    Handshakes(
      limits: configuration.limits, clock: clock, log: log,
      onRoom: { [unowned self] in resumeAccepting() })
  }

  /// Accepts again where nothing stands against it.
  func resumeAccepting() {
    guard !retry.isStarted else { return }
    guard handshakes.isFull else { return listeners.forEach { $0.resume() } }
    for listener in listeners where !secureListeners.contains(where: { $0 === listener }) {
      listener.resume()
    }
  }

  /// A connection is made; who it is with is known after the handshake.
  func acceptSecurely(_ stream: EventLoop.Stream, on listener: Peer) {
    guard let security = configuration.security else { return stream.close() }
    pace()
    let visitor = stream.peerHost.map { Visitor.host($0) }
    // Words would be no TLS, and a handshake is too much for who is turned away.
    if let visitor, hub.turnAway(visitor, listener.role) != nil { return stream.close() }
    limitSilence(of: stream)
    handshakes.begin(stream, security) { [unowned self] secure in
      hub.connect(secure, peer: peer(of: secure, on: listener), visitor: visitor)
    }
    if handshakes.isFull { secureListeners.forEach { $0.pause() } }
  }

  /// Whoever its certificate says it is, if that has a role; else one like all others there.
  private func peer(of secure: SecureStream, on listener: Peer) -> Peer {
    // A session that is resumed isn't verified anew, and may have expired since.
    guard let certificate = secure.channel.peerCertificate, certificate.daysLeft >= 0,
      let role = CertificateRole.role(of: certificate, in: configuration.certificateRoles)
    else { return listener }
    let name = "certificate:\(certificate.commonName ?? certificate.subject)"
    return Peer(
      role: role, scope: name,
      description: "\(name),address:\(secure.peerAddress ?? "unknown")")
  }

  /// Tells the operator which certificate clients see, and when that has to be renewed.
  func tellCertificate() {
    guard let certificate = configuration.security?.certificate else { return }
    log.line(
      certificate.daysLeft < 14 ? .warning : .notice, event: "certificate",
      [
        ("subject", certificate.subject), ("valid-until", certificate.validUntil),
        ("days-left", String(certificate.daysLeft)),
      ])
  }
}

extension Log {
  /// A TLS handshake that came to nothing.
  func handshakeFailed(from address: String?, _ failure: Handshakes.Failure) {
    let reason =
      switch failure {
      case .plain: "this is no TLS; a plain client must use another port"
      case .timedOut: "it took too long"
      case .ended: "the client closed the connection"
      case .refused(let error): error.reason
      }
    line(
      .notice, event: "handshake-failed", by: address.map(Session.origin) ?? "unknown",
      [("peer", address ?? "unknown"), ("reason", reason)])
  }

  /// What came after the handshake can't be decrypted.
  func securityFailed(_ session: Session, _ reason: String) {
    line(
      .notice, event: "tls-failed", by: session.origin,
      [("peer", session.peerDescription), ("reason", reason)])
  }
}
