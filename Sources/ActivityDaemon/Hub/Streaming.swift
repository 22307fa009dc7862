internal import ActivityCore
internal import ActivityWire

/// Something long that a session is sent piece by piece, as its socket drains.
enum Part {
  /// Bytes that are complete.
  case line([UInt8])
  /// Activities that the session may lack: as a start if it can't know them, with what changed
  /// otherwise.
  case state(Rows, since: Seq, withAlerts: Bool)
  /// Activities that the session is to show no more, for a reason that is the session's own.
  case dismissals(Rows, reason: SessionReason)
  /// Tombstones that the session may have missed, and what its device dismissed for itself.
  case gone(Rows, since: Seq)
  /// The items of a `list`.
  case items(Rows, ref: JSONText?, tellsWriter: Bool)
  /// The end of a subscribe.
  case synced
  /// Closes the session, with this reason.
  case bye(ByeReason)

  /// Rows, and how many of them are done.
  struct Rows {
    var rows: [Row]
    var next = 0

    init(_ rows: [Row]) { self.rows = rows }

    mutating func popFirst() -> Row? {
      guard next < rows.count else { return nil }
      next += 1
      return rows[next - 1]
    }
  }
}

/// What a session that isn't in step has still to be sent.
final class Remainder {
  var dirty = DirtySet()
  /// Come before anything dirty.
  var parts: [Part] = []
  /// Lines of state sent since the last subscribe, for its `synced`.
  var stateCount = 0

  var isEmpty: Bool { dirty.isEmpty && parts.isEmpty }
}
