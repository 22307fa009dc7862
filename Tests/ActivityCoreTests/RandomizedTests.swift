import ActivityCore
import TestSupport
import Testing

/// Random commands, passing and stepping time, batches that land late or fail: the coordinator
/// against one that recomputes everything, and what must hold in any history.
@Suite("Random histories")
struct RandomizedTests {
  /// 20 seeds of 1,000 steps. Odd ones have a clock that is set back at times.
  @Test("the coordinator agrees with a naive one", arguments: 1...20 as ClosedRange<UInt64>)
  func agrees(seed: UInt64) {
    var run = RandomRun(seed: seed, stepsClockBack: seed % 2 == 1)
    for step in 0..<1_000 {
      let problems = run.step()
      #expect(problems.isEmpty, "seed \(seed), step \(step): \(problems)")
      guard problems.isEmpty else { return }
    }
    // It would prove nothing if some state were never reached.
    #expect(run.history.statesSeen == Set(State.allCases))
    #expect(run.history.restarts > 10 && run.failures > 5 && run.history.firings > 20)
  }

  @Test("a seed repeats a run exactly")
  func deterministic() {
    func history() -> [Activity] {
      var run = RandomRun(seed: 99, stepsClockBack: true)
      for _ in 0..<500 { _ = run.step() }
      return run.history.landed
    }
    #expect(history() == history())
  }
}

/// What must hold of the durable changes of any history, however they came about.
struct History {
  private(set) var landed: [Activity] = []
  private(set) var statesSeen: Set<State> = []
  private(set) var restarts = 0
  private(set) var firings = 0
  private var newest: [String: Activity] = [:]

  mutating func forget(_ generation: Generation) {
    newest = newest.filter { $0.value.generation != generation }
  }

  /// Takes the next durable change; `now` is when it was decided.
  mutating func take(_ activity: Activity, decidedAt now: Instant) -> [String] {
    var problems: [String] = []
    func expect(_ holds: Bool, _ rule: String) {
      if !holds { problems.append("\(rule): \(activity.id) \(activity.version)") }
    }
    if let before = newest[activity.id] {
      expect(activity.version == before.version + 1, "versions rise by one")
      if before.generation == activity.generation {
        let next: [State: Set<State>] = [
          .pending: [.pending, .active, .stale, .dismissed],
          .active: [.active, .stale, .ended, .dismissed],
          .stale: [.active, .stale, .ended, .dismissed],
          .ended: [.ended, .dismissed],
          .dismissed: [],
        ]
        expect(next[before.state]?.contains(activity.state) ?? false, "nothing is revived")
      } else {
        expect(before.state == .dismissed, "the one before is dismissed first")
        restarts += 1
      }
    }
    expect(activity.seq > landed.last?.seq ?? 0, "seqs rise")
    expect(activity.generation <= activity.seq, "a generation is the seq of its start")
    if let dueAt = activity.dueAt {
      firings += 1
      expect(dueAt <= now, "no deadline fires early")
      expect(newest[activity.id]?.nextDeadline == dueAt, "it fires for the deadline it had")
      expect(activity.changedBy == nil, "nobody makes time pass")
    }
    expect(
      activity.shownSeq == 0 ? !activity.state.isShown : activity.shownSeq <= activity.seq,
      "the shown-seq is that of leaving pending")
    if let alert = activity.alert, alert.version > 0 {
      expect(alert.seq > 0 && alert.version <= activity.version, "an alert has its seq")
    }
    landed.append(activity)
    statesSeen.insert(activity.state)
    newest[activity.id] = activity
    return problems
  }
}

/// One run: both coordinators side by side, and the choice of what happens next.
struct RandomRun {
  private static let ids = ["a", "b", "c", "d", "e", "f"]
  private static let channels = ["x", "y", "z"]

  private(set) var history = History()
  private(set) var failures = 0

  private var generator: SeededGenerator
  private let stepsClockBack: Bool
  private let coordinator: Coordinator
  private var naive: NaiveCoordinator
  private var now = at(0.5)
  private var seq: Seq = 0
  /// Mutations by batch, each with the time it was decided.
  private var inFlight: [(batch: Int, mutations: [(Mutation, Instant)])] = []
  private var gathering: [(Mutation, Instant)] = []
  private var problems: [String] = []

  init(seed: UInt64, stepsClockBack: Bool) {
    generator = SeededGenerator(seed: seed)
    self.stepsClockBack = stepsClockBack
    var limits = Limits()
    limits.activitiesMax = 5
    coordinator = Coordinator(limits: limits)
    naive = NaiveCoordinator(limits: limits)
  }

  /// Lets one thing happen.
  ///
  /// - Returns: what went wrong.
  mutating func step() -> [String] {
    problems = []
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<10: command()
    case 10..<13: passTime()
    case 13..<16: closeBatch()
    case 16..<19: if !inFlight.isEmpty { land() }
    default:
      if generator.chance(oneIn: 3) { fail() }
    }
    compare()
    return problems
  }

  private mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { problems.append(what()) }
  }

  // MARK: What happens

  private mutating func command() {
    let id = generator.pick(Self.ids)
    let command = generator.command(at: now, version: naive.newest(id)?.version ?? 0)
    var mutations: [Mutation] = []
    let verdict = coordinator.decide(
      command, id: id, actor: "tester", at: now, into: &mutations)
    let expected = naive.decide(
      command, id: id, ids: Self.ids, batch: coordinator.batch, at: now)
    expect(mutations == expected.mutations, "\(command) gives \(mutations)")
    switch (verdict.outcome, expected.decision) {
    case (.refused(let refusal), .refused(let other)):
      expect(refusal.code == other.code, "\(command) is refused with \(refusal.code)")
    case (.noop, .noop), (.applied, .applied): break
    default: problems.append("\(command) comes to \(verdict.outcome)")
    }
    let batch = naive.staged.last { $0.activity?.id == id }?.batch
    expect(verdict.batch == batch, "\(command) waits for \(String(describing: verdict.batch))")
    gathering += mutations.map { ($0, now) }
  }

  private mutating func passTime() {
    now = generator.instant(after: now, deadline: coordinator.nextDeadline)
    if stepsClockBack, generator.chance(oneIn: 6) { now = now - .minutes(30) }
    var mutations: [Mutation] = []
    let limit = Int.random(in: 1...4, using: &generator)
    while let next = coordinator.nextDeadline, next <= now {
      mutations += coordinator.advance(to: now, limit: limit)
    }
    let expected = naive.advance(ids: Self.ids, batch: coordinator.batch, at: now)
    // Between activities the order is free; within one it isn't.
    expect(grouped(mutations) == grouped(expected), "time makes \(mutations) due")
    gathering += mutations.map { ($0, now) }
  }

  private func grouped(_ mutations: [Mutation]) -> [String: [Mutation]] {
    Dictionary(grouping: mutations) { mutation in
      mutation.transition?.activity.id ?? "forget \(mutation.forgotten ?? 0)"
    }
  }

  private mutating func closeBatch() {
    inFlight.append((coordinator.batch, gathering))
    gathering = []
    coordinator.batch += 1
  }

  private mutating func land() {
    let (batch, mutations) = inFlight.removeFirst()
    for (mutation, decidedAt) in mutations {
      switch mutation {
      case .transition(let transition):
        seq += 1
        let activity = coordinator.land(transition, seq: seq, batch: batch).activity
        problems += history.take(activity, decidedAt: decidedAt)
      case .watermark(let id, let watermark):
        coordinator.land(watermark: watermark, id: id, batch: batch)
      case .forget(let generation):
        coordinator.land(forget: generation)
        history.forget(generation)
      case .dismissal, .outcome, .expireOutcomes, .token, .revoke, .trial: break
      }
      naive.land(mutation, seq: seq)
    }
    coordinator.finishLanding()
    naive.finishLanding(batch: batch)
  }

  private mutating func fail() {
    failures += 1
    inFlight = []
    gathering = []
    coordinator.dropStaged()
    coordinator.batch += 1
    naive.dropStaged()
  }

  // MARK: What must be so afterwards

  private mutating func compare() {
    for id in Self.ids {
      expect(coordinator.row(of: id)?.activity == naive.visible(id), "row of \(id)")
    }
    expect(
      coordinator.activityCount == naive.activityCount(among: Self.ids), "count of activities")
    expect(
      coordinator.nextDeadline == naive.nextDeadline(among: Self.ids), "next deadline")

    let interest = generator.interest()
    let shown = coordinator.shown(in: interest).map(\.activity)
    expect(shown == naive.shown(in: interest), "shown in \(interest)")
    for (first, second) in zip(shown, shown.dropFirst()) {
      expect(first.precedes(second) && !second.precedes(first), "the order is total")
    }
    let after = Seq.random(in: 0...seq, using: &generator)
    expect(
      coordinator.shown(in: interest, changedAfter: after).map(\.activity)
        == shown.filter { $0.seq > after }, "changed after \(after)")
    expect(
      coordinator.dismissed(in: interest, after: after).map(\.activity)
        == naive.dismissed(in: interest, after: after), "dismissed after \(after)")
    let channel = generator.pick(Self.channels)
    let filter = ListFilter(
      channels: [Name(channel)], types: ["T"], states: [.pending, .dismissed])
    let listed = naive.listed { row in
      filter.states.contains(row.state) && row.attributesType == "T"
        && row.channels.contains(channel)
    }
    expect(coordinator.listed(filter).map(\.activity) == listed, "listed in \(channel)")
  }
}
