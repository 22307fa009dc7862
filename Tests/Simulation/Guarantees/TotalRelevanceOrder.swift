import ActivityCore

/// Lists, and the state that follows a subscribe, come in the one order that there is.
struct TotalRelevanceOrder: Guarantee {
  static let name = "total-relevance-order"

  /// Lines of one answer, and what was durable when it was asked for.
  private struct Run {
    var asked: Seq
    var last: Activity?
  }

  private var asked: [String: Seq] = [:]
  private var lists: [String: Run] = [:]
  private var states: [Int: Run] = [:]
  /// What was durable when a session's newest answered request was asked.
  private var answered: [Int: Seq] = [:]

  init() {}

  mutating func observe(_ observation: Observation, _ model: Model) throws {
    switch observation {
    case .asked(_, let request):
      if let ref = request.ref { asked[ref] = model.history.newestSeq }
    case .told(let party, let line, _): try hear(line, party, model)
    case .closed(let party, _): states[party.number] = nil
    default: break
    }
  }

  private mutating func hear(_ line: Line, _ party: Party, _ model: Model) throws {
    switch line.kind {
    case .item:
      guard let ref = line.ref else { return }
      try follow(line, in: &lists[ref, default: Run(asked: asked[ref] ?? 0)], model)
    case .done, .refused:
      guard let ref = line.ref, let seq = asked.removeValue(forKey: ref) else { return }
      lists[ref] = nil
      answered[party.number] = seq
      if line.operation == "subscribe" { states[party.number] = Run(asked: seq) }
    case .event("reset"): states[party.number] = Run(asked: answered[party.number] ?? 0)
    case .event("synced"): states[party.number] = nil
    case .event:
      guard line.isActivityEvent, line.event != "dismiss", states[party.number] != nil
      else { return }
      try follow(line, in: &states[party.number]!, model)
    }
  }

  /// Compares a line with the one before it, if neither changed since it was asked.
  private func follow(_ line: Line, in run: inout Run, _ model: Model) throws {
    guard let subject = line.subject, let seq = subject.seq, seq <= run.asked,
      let activity = model.history.change(seq)?.after
    else { return }
    if let last = run.last {
      try demand(Self.precedes(last, activity), "sent after \(last.id): \(line.text)")
    }
    run.last = activity
  }

  private static func precedes(_ left: Activity, _ right: Activity) -> Bool {
    if left.relevanceScore != right.relevanceScore {
      return left.relevanceScore > right.relevanceScore
    }
    if left.startDate != right.startDate { return left.startDate < right.startDate }
    if left.id != right.id { return left.id.utf8.lexicographicallyPrecedes(right.id.utf8) }
    return left.generation < right.generation
  }
}
