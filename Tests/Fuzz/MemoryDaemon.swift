import ActivityCore
import ActivityStore
import ActivityWire
import EventLoop

@testable import ActivityDaemon

/// A daemon in memory that is told bytes, and whose every line is looked at.
final class MemoryDaemon {
  let clock = VirtualClock()
  let hub: Hub
  private let committer: any Committer
  private var connections: [(sink: Sink, session: Session)] = []
  private let scanner = JSONScanner(depthMax: 100)
  /// Whether every line is looked at. It may quote a store that isn't sound.
  var isTrusted = true

  /// An empty one.
  convenience init() { self.init(StoreIdentity(epoch: "fuzz", lastSeq: 0, floor: 0), []) }

  /// One that holds what a store does.
  init(_ identity: StoreIdentity, _ items: [StoredItem]) {
    hub = Hub(
      limits: Limits(),
      identity: Hub.Identity(
        epoch: identity.epoch, version: "fuzz", timeScale: 1, makeID: { "made-up" }),
      store: identity, clock: clock, log: .silent)
    for item in items { hub.restore(item) }
    hub.finishRestoring()
    committer = CountingCommitter(hub, lastSeq: identity.lastSeq)
    hub.committer = committer
  }

  // Sessions and what they watch hold each other until they are closed.
  deinit { for connection in connections { hub.closed(connection.session) } }

  /// The number of a new connection.
  func connect(_ role: Role) -> Int {
    let sink = Sink()
    let peer = Peer(role: role, scope: "fuzz", description: nil)
    connections.append((sink, hub.connect(sink, peer: peer)))
    turn()
    return connections.count - 1
  }

  func say(_ bytes: [UInt8], on connection: Int) {
    guard !connections[connection].sink.isClosed else { return }
    hub.received(unsafe bytes.span.bytes, from: connections[connection].session)
    turn()
  }

  /// Sends a line; answers how many requests were answered by it, `ok` or not.
  @discardableResult
  func order(_ line: String, on connection: Int) -> Int {
    let before = connections[connection].sink.answers
    say(Array(line.utf8) + [UInt8(ascii: "\n")], on: connection)
    return connections[connection].sink.answers - before
  }

  func isClosed(_ connection: Int) -> Bool {
    let (sink, session) = connections[connection]
    return sink.isClosed || session.isFinishing
  }

  func pass(seconds: Int64) {
    clock.pass(seconds: seconds)
    hub.advance()
    turn()
    hub.tick()
    hub.endLowPriorityWindow()
    turn()
  }

  /// Turns of the loop, until nothing is left to do.
  private func turn() {
    for _ in 0..<10_000 {
      let hasMore = hub.endTurn()
      for connection in connections { connection.sink.check(with: isTrusted ? scanner : nil) }
      if !hasMore { return }
    }
    preconditionFailure("the daemon doesn't come to rest")
  }
}

/// Gives each change its seq, and keeps nothing.
private final class CountingCommitter: Committer {
  private unowned let hub: Hub
  private var lastSeq: Seq

  init(_ hub: Hub, lastSeq: Seq) {
    self.hub = hub
    self.lastSeq = lastSeq
  }

  func commit(_ mutations: [Mutation]) {
    let before = lastSeq
    let results = mutations.map { mutation -> MutationResult in
      switch mutation {
      case .transition, .dismissal, .token, .revoke:
        lastSeq += 1
        return .seq(lastSeq)
      case .watermark, .outcome, .forget, .expireOutcomes, .trial: return .done
      }
    }
    hub.committed(.success(Committed(seqBefore: before, results: results)))
  }

  func reload(after seq: Seq) { hub.reloaded(.success([])) }
}

/// A clock that moves only when it is told to.
final class VirtualClock: Clock {
  private var wall = Instant(seconds: 1_800_000_000)
  private var monotonic: Int64 = 0

  func now() -> Instant { wall }
  func monotonicMicroseconds() -> Int64 { monotonic }

  func pass(seconds: Int64) {
    monotonic += seconds * 1_000_000
    wall = wall + .seconds(seconds)
  }
}

/// The other end of a connection: takes everything, and traps at a line that isn't one of the
/// protocol's.
private final class Sink: Transport {
  private(set) var isClosed = false
  /// How many lines were `ok` or an error.
  private(set) var answers = 0
  private var unchecked: [UInt8] = []

  let isWriting = false
  let unreadBytes = 0
  let peerAddress: String? = nil

  func tryWrite(_ slices: UnsafeBufferPointer<WriteSlice>) throws(UVError) -> Int {
    let before = unchecked.count
    for index in slices.indices {
      let slice = unsafe slices[index]
      unsafe unchecked += UnsafeRawBufferPointer(start: slice.base, count: slice.count)
    }
    return unchecked.count - before
  }

  func write(_ slices: UnsafeBufferPointer<WriteSlice>, from offset: Int) throws(UVError) {
    preconditionFailure("all of it was taken")
  }

  func startReading() {}
  func stopReading() {}
  func shutdown() {}
  func close() { isClosed = true }

  func check(with scanner: JSONScanner?) {
    guard let scanner, !unchecked.isEmpty else { return unchecked.removeAll() }
    precondition(unchecked.last == UInt8(ascii: "\n"), "a piece of a line")
    for line in unchecked.split(separator: UInt8(ascii: "\n")) { check(Array(line), with: scanner) }
    unchecked.removeAll(keepingCapacity: true)
  }

  private func check(_ line: [UInt8], with scanner: JSONScanner) {
    do throws(JSONScanner.Failure) {
      let members = try scanner.scan(unsafe line.span.bytes)
      guard let first = members.first.map({ scanner[$0] }) else {
        preconditionFailure("an empty object")
      }
      switch scanner.string(first.key) {
      case "ok": answers += 1
      case "error":
        answers += 1
        // Only a backup may: there is no file that could be copied.
        let isBackup = members.contains { scanner.string(scanner[$0].text) == "backup" }
        precondition(scanner.string(first.text) != "internal" || isBackup, "it failed inside")
      case "event", "activity", "client", "token", "unchecked": break
      default: preconditionFailure("an unknown kind of line")
      }
    } catch {
      preconditionFailure("no JSON object: \(String(decoding: line, as: UTF8.self))")
    }
  }
}
