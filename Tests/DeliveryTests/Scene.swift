import ActivityCore
import ActivityStore
import ActivityWire
import TestSupport

@testable import ActivityDaemon

/// A daemon in memory whose clock, store and sockets do what a test says, and nothing by
/// themselves.
final class Scene {
  let clock = VirtualClock()
  private(set) var store = MemoryStore()
  private(set) var hub: Hub
  private(set) var clients: [SceneClient] = []
  /// Whether commits end within the turn that makes them, else when `endCommit` says so.
  var commitsAtOnce = true
  /// The newest seq that the store gave, whether it said so or not.
  private(set) var lastSeq: Seq = 0
  /// Told what landed, and the newest seq before it.
  var onLanding: (([Mutation], _ after: Seq) -> Void)?
  private let held = HeldCommit()

  // On the monotonic clock, in milliseconds.
  private var nextTick: Int64 = 1_000
  private var windowEnd: Int64?

  init(_ limits: Limits = Limits(), log: Log = .silent) {
    hub = Self.hub(over: store, held, limits, clock)
    hub.log = log
  }

  private static func hub(
    over store: MemoryStore, _ held: HeldCommit, _ limits: Limits, _ clock: VirtualClock
  ) -> Hub {
    let identity = Hub.Identity(
      epoch: store.identity.epoch, version: "test", timeScale: 1, makeID: { "made-up" })
    let hub = Hub(
      limits: limits, identity: identity, store: store.identity, clock: clock, log: .silent)
    hub.committer = held
    store.load { hub.restore($0) }
    hub.finishRestoring()
    return hub
  }

  /// A client that reads whatever comes as soon as it comes, until it is told otherwise.
  func connect(_ role: Role = .device) -> SceneClient {
    let client = SceneClient(self, Peer(role: role, scope: role.rawValue, description: nil))
    clients.append(client)
    turn()
    return client
  }

  /// A device that sees everything, and has been told what there is.
  func subscriber(_ hello: String? = nil) throws -> SceneClient {
    let client = connect()
    if let hello { client.say(hello) }
    client.say(#"{"op":"subscribe","all":true}"#)
    _ = try client.hear()
    return client
  }

  // MARK: Turns

  /// Ends turns of the loop until nothing is left to do at this instant.
  func turn() {
    for _ in 0..<1_000 {
      var hasMore = hub.endTurn()
      if commitsAtOnce, endCommit() { hasMore = true }
      for client in clients where client.takeWhatCame() { hasMore = true }
      clients.removeAll(where: \.isClosed)
      if hub.isWindowOpen, windowEnd == nil {
        windowEnd =
          clock.monotonicMilliseconds() + hub.limits.lowPriorityWindow.microseconds / 1_000
      }
      if !hasMore { return }
    }
    preconditionFailure("the daemon doesn't come to rest")
  }

  /// Lets time pass, second by second, with all that it brings.
  func pass(seconds: Int64) { pass(milliseconds: seconds * 1_000) }

  func pass(milliseconds: Int64) {
    let end = clock.monotonicMilliseconds() + milliseconds
    while true {
      let next = min(nextTick, windowEnd ?? .max)
      guard next <= end else { break }
      clock.pass(milliseconds: next - clock.monotonicMilliseconds())
      if let windowEnd, windowEnd <= next { endWindow() }
      if nextTick <= next { tick() }
      turn()
    }
    clock.pass(milliseconds: end - clock.monotonicMilliseconds())
    turn()
  }

  /// Lets much time pass at once, as if the machine had slept.
  func sleep(seconds: Int64) {
    clock.pass(milliseconds: seconds * 1_000)
    if windowEnd != nil { endWindow() }
    tick()
    turn()
  }

  func endWindow() {
    windowEnd = nil
    hub.endLowPriorityWindow()
  }

  private func tick() {
    nextTick = clock.monotonicMilliseconds() + 1_000
    hub.tick()
  }

  // MARK: The store

  /// The store comes to the end of what it was given; answers whether it had something to do.
  @discardableResult
  func endCommit() -> Bool {
    guard let work = held.work else { return false }
    held.work = nil
    switch work {
    case .commit(let mutations):
      let lands = [.none, .nextCommitAfterLanding].contains(store.fault)
      let result = store.committed(mutations)
      if lands {
        onLanding?(mutations, lastSeq)
        lastSeq += mutations.seqCount
      }
      hub.committed(result)
    case .reload(let seq): hub.reloaded(store.changed(after: seq))
    }
    return true
  }

  /// Kills the daemon and starts it again on the same store; every connection is gone.
  func restart() {
    for client in clients { client.lose() }
    clients = []
    held.work = nil
    windowEnd = nil
    store = store.reopened()
    hub = Self.hub(over: store, held, hub.limits, clock)
  }

  /// What the store holds.
  var stored: [Activity] {
    var activities: [Activity] = []
    store.load { if case .activity(let activity) = $0 { activities.append(activity) } }
    return activities
  }
}

extension [Mutation] {
  /// How many of them the store gives a seq.
  fileprivate var seqCount: Seq {
    reduce(0) { count, mutation in
      switch mutation {
      case .transition, .dismissal, .token, .revoke: count + 1
      case .watermark, .outcome, .forget, .expireOutcomes, .trial: count
      }
    }
  }
}

/// What the store was given and hasn't come to the end of.
private final class HeldCommit: Committer {
  var work: Work?

  enum Work {
    case commit([Mutation])
    case reload(Seq)
  }

  func commit(_ mutations: [Mutation]) { work = .commit(mutations) }
  func reload(after seq: Seq) { work = .reload(seq) }
}

/// A clock that moves only when it is told to.
final class VirtualClock: Clock {
  private var wall = Instant(seconds: 1_800_000_000)
  private var monotonic: Int64 = 0

  func now() -> Instant { wall }
  func monotonicMicroseconds() -> Int64 { monotonic }

  func pass(milliseconds: Int64) {
    monotonic += milliseconds * 1_000
    wall = wall + TimeSpan(microseconds: milliseconds * 1_000)
  }

  /// Sets the wall clock.
  func step(seconds: Int64) { wall = wall + .seconds(seconds) }
}
