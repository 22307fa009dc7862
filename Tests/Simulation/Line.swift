import ActivityCore
import ActivityWire
import TestSupport

/// A line of the daemon's, taken apart.
struct Line {
  enum Kind: Equatable {
    /// Whose request it answers: the operation.
    case done(String)
    /// The error's code.
    case refused(String)
    /// One of the lines before the end of an answer.
    case item
    case event(String)
  }

  /// What a line tells of an activity.
  struct Subject {
    var id: String
    var generation: Generation
    var version: Version?
    var seq: Seq?
    var state: String?
    var contentState: [UInt8]?
    var attributes: [UInt8]?
    /// The due time of the newest change, if a deadline made it.
    var dueAt: Instant?
  }

  var text: String
  var members: JSONLine
  var kind: Kind
  var ref: String?
  var reason: String?
  var subject: Subject?
  var cursor: Cursor?

  init(_ text: String) throws {
    self.text = text
    members = try JSONLine(text)
    if let event = members["event"]?.string {
      kind = .event(event)
    } else if let operation = members["ok"]?.string {
      kind = .done(operation)
    } else if let code = members["error"]?.string {
      kind = .refused(code)
    } else {
      kind = .item
    }
    ref = members["ref"]?.string
    reason = members["reason"]?.string
    cursor = members["cursor"]?.string.flatMap { Cursor($0) }
    subject = Subject(members["activity"]?.object ?? members)
  }

  var operation: String? {
    if case .done(let operation) = kind { operation } else { nil }
  }

  var event: String? { if case .event(let event) = kind { event } else { nil } }

  /// It tells what is durable of an activity: a write's answer, an item, or an event that isn't
  /// the session's own.
  var tellsState: Bool {
    switch kind {
    case .done: subject?.seq != nil
    case .refused: false
    case .item: subject != nil
    case .event: isActivityEvent && !isOwnDismissal
    }
  }

  var isActivityEvent: Bool {
    ["start", "update", "stale", "end", "dismiss"].contains(event)
  }

  /// A dismissal that concerns this session or device alone.
  var isOwnDismissal: Bool {
    event == "dismiss" && ["unsubscribed", "disabled", "dismissed"].contains(reason)
  }

  var isAnswer: Bool {
    switch kind {
    case .done, .refused: true
    case .item, .event: false
    }
  }
}

extension Line.Subject {
  fileprivate init?(_ object: JSONLine) {
    guard let id = object["id"]?.string, let generation = object["generation"]?.integer else {
      return nil
    }
    self.id = id
    self.generation = Generation(generation)
    version = object["version"]?.integer.map(Version.init)
    seq = object["seq"]?.integer.map(Seq.init)
    state = object["state"]?.string
    contentState = object["content-state"]?.bytes
    attributes = object["attributes"]?.bytes
    dueAt = object["at"]?.number.map {
      Instant(microseconds: Int64(($0 * 1_000_000).rounded()))
    }
  }
}
