internal import ActivityCore

/// What the daemon tells its operator: one line for each thing somebody acts on.
///
/// Each line has a stable `event=`. Ids and reasons are told, content never.
package struct Log {
  /// As the kernel and the journal number them.
  package enum Level: Int {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }

  /// One line.
  package struct Entry: Equatable, Sendable {
    package let level: Level
    package let event: String
    package let fields: [Field]

    /// `event=` and all fields, such that no value can be taken for another field or line.
    package var text: String {
      fields.reduce("event=\(event)") { "\($0) \($1.name)=\(Log.quoted($1.value))" }
    }
  }

  package struct Field: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  private let write: (Entry) -> Void
  private let throttle = LogThrottle()

  package init(write: @escaping (Entry) -> Void) {
    self.write = write
  }

  package static var silent: Log { Log { _ in } }

  package func line(_ level: Level, event: StaticString, _ fields: [(String, String)] = []) {
    write(
      Entry(
        level: level, event: event.description,
        fields: fields.map { Field(name: $0, value: $1) }))
  }

  /// A line that `origin` caused, who could cause any number of them: only a few a second are
  /// written.
  func line(
    _ level: Level, event: StaticString, by origin: String, _ fields: [(String, String)]
  ) {
    if throttle.admits(event: event.description, origin: origin) {
      line(level, event: event, fields)
    }
  }

  /// To be called once a second: says how many lines were held back in it.
  func endSecond() {
    for held in throttle.endSecond() {
      line(
        .notice, event: "lines-held-back",
        [("of", held.event), ("peer", held.origin), ("count", String(held.count))])
    }
  }

  /// A value that can't be taken for anything else: quoted if it holds more than plain characters.
  fileprivate static func quoted(_ value: String) -> String {
    let isPlain = value.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7f && !#""\="#.utf8.contains($0)
    }
    guard !isPlain || value.isEmpty else { return value }
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where isInvisible(scalar):
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// Whether it would break the line, or change how others of it look.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

/// What sessions come to.
extension Log {
  /// Only those who said who they are: of the others nobody could tell which it was.
  ///
  /// - Parameter now: Monotonic milliseconds.
  func closed(_ session: Session, at now: Int64) {
    guard session.device != nil || session.grant != nil,
      let ending = session.particulars?.ending
    else { return }
    let lived = Double(now - session.connectedAt) / 1_000
    line(
      .info, event: "session-closed", by: session.origin,
      describing(session) + [
        ("reason", ending.reason), ("lived", "\(lived)s"), ("waiting", String(ending.waiting)),
      ])
  }

  func dropped(_ session: Session, _ reason: StaticString) {
    let waiting = session.remainder?.dirtyCount ?? 0
    line(
      .warning, event: "session-dropped", by: session.origin,
      describing(session) + [("reason", reason.description), ("waiting", String(waiting))])
  }

  func superseded(_ older: Session, by newer: Session, _ kind: Takeovers.Kind) {
    let fields = describing(older) + [("by", newer.peerDescription)]
    switch kind {
    case .single: line(.notice, event: "superseded", by: newer.origin, fields)
    case .loop: line(.warning, event: "takeover-loop", by: newer.origin, fields)
    case .knownLoop: break
    }
  }

  func turnedAway(_ visitor: Visitor, _ quota: Quota) {
    line(
      .warning, event: "connection-refused", by: visitor.description,
      [("peer", visitor.description), ("limit", quota.rawValue)])
  }

  func backedUp(_ made: Backup, for session: Session) {
    line(
      .notice, event: "backup-made", by: session.origin,
      describing(session) + [
        ("path", made.path), ("bytes", String(made.bytes)), ("seq", String(made.seq)),
      ])
  }

  func backupFailed(_ error: BackupError, for session: Session) {
    line(
      .error, event: "backup-failed", by: session.origin,
      describing(session) + [("message", error.message)])
  }

  private func describing(_ session: Session) -> [(String, String)] {
    var fields = [("peer", session.peerDescription)]
    if let grant = session.grant { fields.append(("token", grant.token.name)) }
    if let device = session.device { fields.append(("device", device.name)) }
    return fields
  }
}

/// What the store comes to.
extension Log {
  func storeFailed(_ error: StoreError) {
    line(.error, event: "store-failed", [("message", error.message)])
  }

  func storeRecovered() {
    line(.notice, event: "store-recovered")
  }
}

/// What tokens come to. What was shown for one is never told.
extension Log {
  func unauthorized(_ session: Session, _ reason: StaticString, token: String?) {
    line(
      .warning, event: "unauthorized", by: session.origin,
      describing(session) + [("reason", reason.description)]
        + (token.map { [("token", $0)] } ?? []))
  }

  func tokenAdded(_ token: Token, by actor: String?) {
    line(
      .notice, event: "token-added",
      [("token", token.name), ("role", token.role.rawValue), ("by", actor ?? "unknown")])
  }

  func tokenRevoked(_ token: Token, by actor: String?) {
    line(.notice, event: "token-revoked", [("token", token.name), ("by", actor ?? "unknown")])
  }

  func tokenExpired(_ token: Token) {
    line(.notice, event: "token-expired", [("token", token.name)])
  }
}
