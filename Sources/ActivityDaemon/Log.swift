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

  private let write: (Level, String) -> Void

  /// Hands each line to `write`, without a newline.
  package init(write: @escaping (Level, String) -> Void) {
    self.write = write
  }

  package static var silent: Log { Log { _, _ in } }

  package func line(_ level: Level, event: StaticString, _ fields: [(String, String)] = []) {
    var text = "event=\(event)"
    for (key, value) in fields { text += " \(key)=\(Self.quoted(value))" }
    write(level, text)
  }

  /// A value that can't be taken for anything else: quoted if it holds more than plain characters.
  private static func quoted(_ value: String) -> String {
    let isPlain = value.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    guard !isPlain || value.isEmpty else { return value }
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value):
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

extension Log {
  func closed(_ session: Session) {
    guard session.device != nil else { return }
    line(.info, event: "session-closed", describing(session))
  }

  func dropped(_ session: Session, _ reason: StaticString) {
    line(
      .notice, event: "session-dropped", describing(session) + [("reason", reason.description)])
  }

  func notReading(_ session: Session) {
    let waiting = session.remainder?.dirtyCount ?? 0
    line(
      .warning, event: "not-reading", describing(session) + [("waiting", String(waiting))])
  }

  func superseded(_ older: Session, by newer: Session) {
    line(
      .notice, event: "superseded",
      describing(older) + [("by", newer.peerDescription)])
  }

  func storeFailed(_ error: StoreError) {
    line(.error, event: "store-failed", [("message", error.message)])
  }

  func storeRecovered() {
    line(.notice, event: "store-recovered")
  }

  private func describing(_ session: Session) -> [(String, String)] {
    var fields = [("peer", session.peerDescription)]
    if let device = session.device { fields.append(("device", device.name)) }
    return fields
  }
}
