import ActivityCore

/// What has ended is never live again, its final content never changes, and what is dismissed
/// stays dismissed: on disk, and in what each session is told.
struct AbsorbingEnd: Guarantee {
  static let name = "absorbing-end"

  /// What each session was told last of a generation that is ended or dismissed.
  private var told: [Int: [Generation: Line.Subject]] = [:]
  /// On which surface.
  private var surfaces: [Int: Surface] = [:]

  init() {}

  mutating func observe(_ observation: Observation, _ model: Model) throws {
    switch observation {
    case .landed: for change in model.landed { try check(change) }
    case .told(let party, let line, _):
      forgetContents(of: party, on: model.rights[party.number]?.surface ?? .private)
      guard line.tellsState, line.event != nil, let subject = line.subject else { return }
      try hear(subject, party, line)
    case .closed(let party, _):
      told[party.number] = nil
      surfaces[party.number] = nil
    default: break
    }
  }

  private func check(_ change: History.Change) throws {
    guard let before = change.before else { return }
    let after = change.after
    switch before.state {
    case .pending, .active, .stale: return
    case .ended:
      try demand(!after.state.isLive && after.state != .pending, "\(after.id) lives again")
      try demand(
        after.state == .dismissed || after.contentState == before.contentState,
        "the final content of \(after.id) has changed")
    case .dismissed: throw Violation(Self.self, "\(after.id) changed after its dismissal")
    }
  }

  /// On another surface what is shown of the same differs.
  private mutating func forgetContents(of party: Party, on surface: Surface) {
    guard surfaces.updateValue(surface, forKey: party.number) ?? surface != surface else { return }
    for generation in (told[party.number] ?? [:]).keys {
      told[party.number]?[generation]?.contentState = nil
    }
  }

  private mutating func hear(_ subject: Line.Subject, _ party: Party, _ line: Line) throws {
    if let last = told[party.number]?[subject.generation] {
      try demand(
        subject.state == "dismissed" || subject.state == "ended" && last.state == "ended",
        "told after it was \(last.state ?? ""): \(line.text)")
      try demand(
        subject.state == "dismissed" || last.contentState == nil
          || subject.contentState == last.contentState,
        "the final content has changed: \(line.text)")
    }
    if subject.state == "ended" || subject.state == "dismissed" {
      told[party.number, default: [:]][subject.generation] = subject
    }
  }
}
