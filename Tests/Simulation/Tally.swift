import ActivityCore

/// What a run consisted of, counted.
package struct Tally: Sendable {
  package enum Event: String, CaseIterable, Sendable {
    case step = "steps"
    case request = "requests"
    case retry = "of them sent again with their idempotency key"
    case line = "lines told"
    case change = "durable changes"
    case deadline = "of them by a deadline"
    case connection = "connections"
    case breakage = "of them broken"
    case resumption = "subscriptions resumed from a cursor"
    case reset = "resets"
    case token = "tokens made"
    case tokenEnd = "of them revoked or expired"
    case admission = "connections let in with a token"
    case unwelcome = "hellos refused"
    case hidden = "events told in public"
    case lostCommit = "commits lost"
    case unnoticedCommit = "commits that landed unnoticed"
    case cutCommit = "commits cut by a crash"
    case stall = "steps with a commit stalled"
    case restart = "restarts"
    case clockStep = "steps of the wall clock"
    case reload = "changes of the limits"
    case rest = "states at rest compared with the truth"
  }

  private var counts: [Event: Int] = [:]
  private var keys: Set<String> = []

  package init() {}

  mutating func count(_ event: Event, _ more: Int = 1) { counts[event, default: 0] += more }

  mutating func observe(_ observation: Observation, _ model: Model) {
    switch observation {
    case .connected: count(.connection)
    case .closed(_, let isAgreed): if !isAgreed { count(.breakage) }
    case .asked(_, let request):
      count(.request)
      if case .subscribe(_, .some) = request.effect { count(.resumption) }
      if let key = request.idempotencyKey, !keys.insert(key).inserted { count(.retry) }
    case .told(let party, let line, _):
      count(.line)
      if line.event == "reset" { count(.reset) }
      if line.isActivityEvent, model.rights[party.number]?.surface == .public { count(.hidden) }
      if case .hello(let hello)? = model.request(line)?.effect, hello.token != nil {
        count(line.operation == nil ? .unwelcome : .admission)
      }
    case .landed(let landing):
      for mutation in landing.mutations {
        if case .token = mutation { count(.token) }
        if case .revoke = mutation { count(.tokenEnd) }
      }
      count(.change, model.landed.count)
      count(.deadline, model.landed.count { $0.after.dueAt != nil })
    case .disturbed(let event): count(event)
    case .reopened: count(.restart)
    case .rested: count(.rest)
    case .offered, .heard, .time, .buffered: break
    }
  }

  package static func += (left: inout Tally, right: Tally) {
    left.counts.merge(right.counts, uniquingKeysWith: +)
  }
}

extension Tally: CustomStringConvertible {
  package var description: String {
    Event.allCases.map { "\(counts[$0] ?? 0) \($0.rawValue)" }.joined(separator: "\n")
  }
}
