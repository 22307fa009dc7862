import ActivityCore

/// For each id (generation, version) rises with each change, and no session is sent an older one
/// after a newer one.
struct MonotonicVersions: Guarantee {
  static let name = "monotonic-versions"

  private struct Place: Comparable {
    var generation: Generation
    var version: Version

    static func < (left: Place, right: Place) -> Bool {
      (left.generation, left.version) < (right.generation, right.version)
    }
  }

  private struct Session {
    var told: [String: Place] = [:]
    /// The whole state, or a part of it, may be told again.
    var mayRepeat = true

    mutating func hear(_ line: Line) throws {
      if line.operation == "subscribe" || line.event == "reset" { mayRepeat = true }
      if line.event == "synced" { mayRepeat = false }
      guard line.isActivityEvent, let subject = line.subject, let version = subject.version else {
        return
      }
      let place = Place(generation: subject.generation, version: version)
      if let last = told[subject.id] {
        let isNews = place > last || place == last && (mayRepeat || line.isOwnDismissal)
        guard isNews else {
          throw Violation(MonotonicVersions.self, "sent after \(last): \(line.text)")
        }
      }
      told[subject.id] = place
    }
  }

  private var durable: [String: Place] = [:]
  private var sessions: [Int: Session] = [:]

  init() {}

  mutating func observe(_ observation: Observation, _ model: Model) throws {
    switch observation {
    case .landed:
      for change in model.landed {
        let place = Place(generation: change.after.generation, version: change.after.version)
        if let last = durable[change.after.id] {
          try demand(place > last, "\(change.after.id) goes from \(last) to \(place)")
        }
        durable[change.after.id] = place
      }
    case .told(let party, let line, _):
      try sessions[party.number, default: Session()].hear(line)
    case .closed(let party, _): sessions[party.number] = nil
    default: break
    }
  }
}
