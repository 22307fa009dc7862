import ActivityCore

/// An instant of the tests' time, which counts seconds from a whole one.
func at(_ seconds: Double) -> Instant {
  Instant(microseconds: 1_800_000_000_000_000 + Int64((seconds * 1_000_000).rounded()))
}

func minutes(_ count: Double) -> Double { count * 60 }
func hours(_ count: Double) -> Double { count * 3_600 }

/// A publisher's timestamp; one that names a whole second is compared in whole seconds.
func stamp(_ seconds: Double) -> Timestamp {
  Timestamp(instant: at(seconds), isWholeSecond: seconds == seconds.rounded())
}

func json(_ text: String) -> JSONText { JSONText(bytes: Array(text.utf8)) }

/// Plays the parts of the pipeline and of a store: gathers what is decided, gives out seqs, lands.
///
/// Each command is a batch of its own that is durable at once, unless `holds`: then `closeBatch`
/// ends a batch, and `land` or `fail` decides its fate.
final class Desk {
  let coordinator: Coordinator
  var now = at(0)
  var holds = false
  /// The newest seq given out.
  private(set) var seq: Seq = 0
  /// Every durable change, in order of seq.
  private(set) var landed: [Activity] = []

  private var gathering: [Mutation] = []
  private var inFlight: [(number: Int, mutations: [Mutation])] = []

  init(_ configure: (inout Limits) -> Void = { _ in }) {
    var limits = Limits()
    configure(&limits)
    coordinator = Coordinator(limits: limits)
  }

  /// What readers see of an id.
  subscript(id: String) -> Activity? { coordinator.row(of: id)?.activity }

  func decide(
    _ command: Command, id: String, actor: String? = "tester", keepsOutcome: Bool = false
  ) -> Decided {
    var mutations: [Mutation] = []
    let verdict = coordinator.decide(
      command, id: id, actor: actor, keepsOutcome: keepsOutcome, at: now, into: &mutations)
    gather(mutations)
    return Decided(verdict: verdict, mutations: mutations)
  }

  func gather(_ mutations: [Mutation]) {
    gathering += mutations
    if !holds { landAll() }
  }

  /// Lets time pass; what it makes due is decided and, unless `holds`, durable.
  @discardableResult
  func pass(to seconds: Double) -> [Mutation] {
    now = at(seconds)
    let mutations = coordinator.advance(to: now, limit: .max)
    gather(mutations)
    return mutations
  }

  func closeBatch() {
    inFlight.append((coordinator.batch, gathering))
    gathering = []
    coordinator.batch += 1
  }

  /// The oldest batch in flight is durable.
  func land() {
    let batch = inFlight.removeFirst()
    for mutation in batch.mutations { land(mutation, of: batch.number) }
    coordinator.finishLanding()
  }

  func landAll() {
    closeBatch()
    while !inFlight.isEmpty { land() }
  }

  /// The oldest batch could not be made durable, so all that is staged goes.
  func fail() {
    inFlight = []
    gathering = []
    coordinator.dropStaged()
    coordinator.batch += 1
  }

  private func land(_ mutation: Mutation, of batch: Int) {
    switch mutation {
    case .transition(let transition):
      seq += 1
      landed.append(coordinator.land(transition, seq: seq, batch: batch).activity)
    case .watermark(let id, let watermark):
      coordinator.land(watermark: watermark, id: id, batch: batch)
    case .forget(let generation): coordinator.land(forget: generation)
    case .outcome(let outcome): coordinator.land(outcome)
    case .dismissal, .token, .revoke: seq += 1
    case .expireOutcomes(let instant): coordinator.land(expiryAt: instant)
    case .trial: break
    }
  }
}

// MARK: - Commands, in short

extension Desk {
  @discardableResult
  func start(
    _ id: String = "ride", _ content: String = "0", _ change: (inout Start) -> Void = { _ in }
  ) -> Decided {
    var start = Start(attributesType: "Ride", contentState: json(content))
    change(&start)
    return decide(.start(start), id: id)
  }

  @discardableResult
  func update(
    _ id: String = "ride", _ content: String? = nil, _ change: (inout Update) -> Void = { _ in }
  ) -> Decided {
    var update = Update()
    update.contentState = content.map(json)
    change(&update)
    return decide(.update(update), id: id)
  }

  @discardableResult
  func end(
    _ id: String = "ride", _ content: String? = nil, _ change: (inout End) -> Void = { _ in }
  ) -> Decided {
    var end = End()
    end.contentState = content.map(json)
    change(&end)
    return decide(.end(end), id: id)
  }

  @discardableResult
  func cancel(_ id: String = "ride", _ change: (inout Cancel) -> Void = { _ in }) -> Decided {
    var cancel = Cancel()
    change(&cancel)
    return decide(.cancel(cancel), id: id)
  }
}

/// A verdict, and what it came to.
@dynamicMemberLookup
struct Decided {
  let verdict: Verdict
  let mutations: [Mutation]

  subscript<Value>(dynamicMember member: KeyPath<Verdict, Value>) -> Value {
    verdict[keyPath: member]
  }

  var transitions: [Transition] { mutations.compactMap(\.transition) }
}

extension Verdict {
  var refusal: Refusal? {
    if case .refused(let refusal) = outcome { refusal } else { nil }
  }
  /// The code it was refused with; nil if it wasn't.
  var code: ErrorCode? { refusal?.code }
}

extension Mutation {
  var transition: Transition? {
    if case .transition(let transition) = self { transition } else { nil }
  }
  /// The generation whose tombstone it removes.
  var forgotten: Generation? {
    if case .forget(let generation) = self { generation } else { nil }
  }
}
