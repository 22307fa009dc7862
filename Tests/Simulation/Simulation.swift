import ActivityCore
import ActivityDaemon
import ActivityStore
import ActivityWire
import TestSupport

/// The production hub among publishers, devices, a store, sockets and clocks that do whatever a
/// seed makes them do, while the guarantees watch.
///
/// Everything is decided by the seed. Nothing is decided while the daemon is at work: its lines are
/// gathered and looked at when its turn is over, in the order of the connections.
package final class Simulation {
  /// Changes what the guarantees are told.
  typealias Fault = (Observation) -> [Observation]?

  let seed: UInt64
  var random: SeededGenerator
  let clock = SimulatedClock()
  let committer: SimulatedCommitter
  var hub: Hub!
  private(set) var limits = Limits() { didSet { hub?.limits = limits } }
  var composer = Composer()
  let model = Model()
  package private(set) var tally = Tally()
  /// The connections that are open, in order of their numbers.
  var clients: [Client] = []
  var lastClientNumber = 0
  var publishers: [Publisher] = []
  let deviceNames: [String?] = ["anna", "ben", "carla", nil, nil, Simulation.boundName]
  /// The session of each device, while it has one.
  var deviceClients: [Client?]
  private var lastTokenNumber = 0
  /// Nothing fails, and everybody does what must succeed.
  var isAtRest = false
  /// Commits end as soon as they have begun.
  var commitsAtOnce = true
  // On the monotonic clock, in microseconds.
  var nextTick: Int64 = 1_000_000
  var windowEnd: Int64?

  /// What became durable since the guarantees looked.
  private var landings: [Landing] = []
  private var guarantees: [any Guarantee]
  var fault: Fault?
  private(set) var step = 0
  /// What happened, a line each; only kept if somebody wants it.
  package private(set) var log: [String] = []
  private let keepsLog: Bool

  package convenience init(seed: UInt64, keepsLog: Bool = false) {
    self.init(seed: seed, guarantees: allGuarantees, keepsLog: keepsLog)
  }

  init(seed: UInt64, guarantees: [any Guarantee.Type], keepsLog: Bool = false) {
    self.seed = seed
    self.keepsLog = keepsLog
    self.guarantees = guarantees.map { $0.init() }
    random = SeededGenerator(seed: seed)
    deviceClients = deviceNames.map { _ in nil }
    committer = SimulatedCommitter(store: MemoryStore(epoch: "simulated"), clock: clock)
    varyLimits()
    publishers = [
      Publisher(scope: "uid:1"), Publisher(scope: "uid:1"), Publisher(scope: "uid:2"),
      Publisher(scope: "tcp", needsToken: true),
    ]
    committer.onLanding = { [unowned self] in self.landings.append($0) }
    openHub()
  }

  /// How many steps are taken of each seed.
  package static let stepsPerSeed = 1_000

  /// Does so many things; each time everything that happened is shown to the guarantees.
  package func run(steps: Int = stepsPerSeed) throws {
    let end = step + steps
    while step < end {
      step += 1
      do {
        try takeStep()
        tally.count(.step)
        if committer.isBusy { tally.count(.stall) }
      } catch {
        throw Failure(seed: seed, step: step, reason: "\(error)", violation: error as? Violation)
      }
    }
  }

  /// A run that went wrong.
  package struct Failure: Error, CustomStringConvertible {
    package let seed: UInt64
    package let step: Int
    let reason: String
    let violation: Violation?

    package var description: String {
      """
      seed \(seed), step \(step): \(reason)
      To see it again: .ci/simulate \(stepsPerSeed) \(seed)
      """
    }
  }

  /// Makes some limits so small that they are reached.
  func varyLimits() {
    var limits = limits
    defer { self.limits = limits }
    limits.lowPriorityWindow = .seconds(random.pick([0, 1, 1, 3]))
    limits.activitiesMax = random.pick([4, 100, 100])
    limits.outcomesMax = random.pick([20, 1_000, 1_000])
    limits.unansweredRequestsMax = random.pick([2, 1_024, 1_024])
    limits.answerBytesMax = random.pick([2_000, 65_536, 65_536])
    limits.keysPerSubscriptionMax = random.pick([3, 1_024, 1_024])
    limits.tokensMax = random.pick([2, 1_000, 1_000])
    limits.unauthenticatedMax = random.pick([1, 1_000, 1_000])
    limits.tombstoneKept = random.pick([.minutes(5), .hours(24), .hours(24)])
    limits.staleAfterDefault = random.pick([nil, nil, .seconds(90)])
    limits.updatesPerHourDefault = random.pick([nil, nil, 600])
  }

  func allowAnySubscription() { limits.keysPerSubscriptionMax = 1_024 }

  /// Makes a hub over what the store holds.
  func openHub() {
    var lastID = 0
    let identity = Hub.Identity(
      epoch: committer.store.identity.epoch, version: "simulated", timeScale: 1,
      makeToken: { [unowned self] in
        lastTokenNumber += 1
        return "t\(lastTokenNumber).secret-\(lastTokenNumber)"
      },
      makeID: {
        lastID += 1
        return "made-\(lastID)"
      })
    hub = Hub(
      limits: limits, identity: identity, store: committer.store.identity, clock: clock,
      log: .silent)
    hub.committer = committer
    committer.store.load { hub.restore($0) }
    hub.finishRestoring()
  }

  /// Shows the guarantees what happened, or what the fault makes of it.
  func observe(_ observation: Observation) throws {
    for observation in fault?(observation) ?? [observation] { try show(observation) }
  }

  private func show(_ observation: Observation) throws {
    if keepsLog, let line = observation.logLine { log.append("\(step) \(line)") }
    model.observe(observation)
    tally.observe(observation, model)
    for index in guarantees.indices { try guarantees[index].observe(observation, model) }
  }

  /// Looks at what the daemon said and did since the last time.
  func look() throws {
    for landing in landings { try observe(.landed(landing)) }
    landings = []
    for client in clients {
      let told = try client.takeTold()
      let heard = client.takeHeard()
      guard !client.isAbandoned else { continue }
      for (line, durable) in told { try observe(.told(client.party, line, durable: durable)) }
      for line in heard { try hear(line, client) }
      let buffered = client.takeBuffered()
      if buffered > 0 { try observe(.buffered(client.party, bytes: buffered)) }
    }
    for client in clients where client.socket.isClosed { try forget(client) }
  }

  private func hear(_ line: Line, _ client: Client) throws {
    try observe(.heard(client.party, line))
    if line.event == "bye" { client.hasEndedOutput = true }
    if line.event == "ping" { try ask(client, "ping", "") }
  }

  /// What is durable at this very moment.
  var durableSeq: Seq {
    landings.last.map { $0.seqBefore + Seq($0.seqCount) } ?? model.history.newestSeq
  }
}

extension Landing {
  /// How many of its mutations took a seq.
  fileprivate var seqCount: Int {
    mutations.count {
      switch $0 {
      case .transition, .dismissal, .token, .revoke: true
      case .watermark, .outcome, .forget, .expireOutcomes, .trial: false
      }
    }
  }
}
