import ActivityCore
import ActivityDaemon
import ActivityStore
import ActivityWire
import TestSupport

/// The daemon's hub with a store in memory, clients without sockets, and a clock that moves only
/// when it is told to.
final class MemoryStage: Stage {
  let timeShift: Int64 = 0
  let tolerance = Tolerance.none
  private let clock = VirtualClock()
  private var store = MemoryStore()
  private var limits = Limits()
  private var hub: Hub
  private let trickles: Bool
  private var requiresToken = false
  private var connections: [(transport: MemoryTransport, session: Session)] = []

  // On the monotonic clock, in microseconds.
  private var nextTick = second
  private var windowEnd: Int64?
  private static let second: Int64 = 1_000_000

  /// - Parameter trickles: whether bytes come one by one, and are taken a few at a time.
  init(trickles: Bool = false) {
    self.trickles = trickles
    hub = Self.hub(over: store, limits, clock)
  }

  private static func hub(over store: MemoryStore, _ limits: Limits, _ clock: VirtualClock) -> Hub {
    var lastID = 0
    var lastToken = 0
    let identity = Hub.Identity(
      epoch: store.identity.epoch, version: "test", timeScale: 1,
      makeToken: {
        lastToken += 1
        return "public-\(lastToken).secret-\(lastToken)"
      },
      makeID: {
        lastID += 1
        return "made-\(lastID)"
      })
    let hub = Hub(
      limits: limits, identity: identity, store: store.identity, clock: clock, log: .silent)
    hub.committer = ImmediateCommitter(store: store, hub: hub)
    store.load { hub.restore($0) }
    hub.finishRestoring()
    return hub
  }

  func connect(as role: Role) throws -> any StageClient {
    let transport = MemoryTransport(roomForWrites: trickles ? 7 : .max)
    let session = hub.connect(transport, peer: .of(role, needsToken: requiresToken))
    connections.append((transport, session))
    try settle()
    return MemoryStageClient(transport, of: session, on: self)
  }

  func restart(downFor span: TimeSpan) throws {
    connections = []
    clock.pass(span)
    store = store.reopened()
    hub = Self.hub(over: store, limits, clock)
    nextTick = clock.monotonic + Self.second
    windowEnd = nil
    try settle()
  }

  func carryOut(_ step: Transcript.Step) throws {
    switch step {
    case .passTime(let span): try pass(until: clock.now() + span)
    case .passTimeUntil(let instant): try pass(until: instant)
    case .stepClock(let span):
      clock.step(span)
      hub.clockWasSet()
    case .requireToken: requiresToken = true
    case .failCommits(let fails): store.fault = fails ? .everyCommit : .none
    case .limit(let name, let value):
      try limits.set(name, to: value)
      hub.limits = limits
    default: preconditionFailure("concerns a client")
    }
    try settle()
  }
}

// MARK: - Turns

extension MemoryStage {
  /// Tells the hub something that has happened, and lets it carry out all that follows.
  func tell(_ what: (Hub) -> Void) throws {
    what(hub)
    try settle()
  }

  /// Gives the hub bytes of a client.
  func receive(_ bytes: [UInt8], from session: Session) throws {
    let pieces = trickles ? bytes.map { [$0] } : [bytes]
    for piece in pieces { unsafe hub.received(piece.span.bytes, from: session) }
    try settle()
  }

  /// Ends turns of the loop until there is nothing more to do at this instant.
  private func settle() throws {
    for _ in 0..<10_000 {
      var isSettled = !hub.endTurn()
      for (transport, session) in connections where transport.isClosed {
        hub.closed(session)
        isSettled = false
      }
      for (transport, session) in connections where transport.isWriting {
        if transport.takeWritten() { hub.drained(session) } else { hub.writeFailed(session) }
        isSettled = false
      }
      connections.removeAll(where: \.transport.isClosed)
      if let deadline = hub.nextDeadline, deadline <= clock.now() { isSettled = false }
      guard !isSettled else {
        if hub.isWindowOpen, windowEnd == nil {
          windowEnd = clock.monotonic + limits.lowPriorityWindow.microseconds
        }
        return
      }
    }
    throw TestFailure("the daemon doesn't come to rest")
  }

  /// Lets time pass from one thing that happens by itself to the next.
  private func pass(until end: Instant) throws {
    while true {
      let now = clock.now()
      let next = min(
        hub.nextDeadline ?? .distantFuture,
        now + TimeSpan(microseconds: min(nextTick, windowEnd ?? .max) - clock.monotonic))
      guard next <= end else { break }
      if next > now { clock.pass(next - now) }
      if let windowEnd, windowEnd <= clock.monotonic {
        self.windowEnd = nil
        hub.endLowPriorityWindow()
      }
      if nextTick <= clock.monotonic {
        nextTick += Self.second
        hub.tick()
      }
      try settle()
    }
    clock.pass(end - clock.now())
  }
}

extension Peer {
  /// Who connects, as the sockets of a real daemon would tell.
  fileprivate static func of(_ role: Role, needsToken: Bool) -> Peer {
    switch role {
    case .device:
      Peer(role: role, scope: "tcp:127.0.0.1:7420", description: nil, needsToken: needsToken)
    case .publisher: Peer(role: role, scope: "uid:1000", description: nil)
    case .admin: Peer(role: role, scope: "uid:0", description: nil)
    }
  }
}

/// The time of a transcript.
private final class VirtualClock: Clock {
  private var wall = Instant(seconds: transcriptOrigin)
  /// In microseconds.
  private(set) var monotonic: Int64 = 0

  func now() -> Instant { wall }
  func monotonicMicroseconds() -> Int64 { monotonic }

  func pass(_ span: TimeSpan) {
    monotonic += span.microseconds
    wall = wall + span
  }

  /// Sets the wall clock.
  func step(_ span: TimeSpan) { wall = wall + span }
}
