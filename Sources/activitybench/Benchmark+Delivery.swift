internal import ActivityCore
internal import ActivityDaemon
internal import ActivityStore
internal import ActivityWire
internal import EventLoop

/// The hub with its sessions, without sockets and disk.
extension Benchmark {
  static let ofDelivery: [Benchmark] = [
    Benchmark(name: "dirty-set", operation: "noting a change for a slow session, and taking it out")
    {
      var set = DirtySet()
      var seq: Seq = 0
      return {
        for generation in 0..<10_000 {
          seq += 1
          set.insert(Generation(generation), seq: seq, isHigh: generation % 8 > 0)
        }
        var count = 0
        while set.popFirst(promoted: 0) != nil { count += 1 }
        return count
      }
    },
    Benchmark(name: "hub-update", operation: "a line in, its change dispatched, its answer out") {
      let stage = Stage(activities: 1_024, subscribers: 0)
      return { stage.update(times: 512) }
    },
    Benchmark(name: "hub-fan-out", operation: "a delivery to one of 1,000 sessions, 64 in a turn") {
      let stage = Stage(activities: 64, subscribers: 1_000)
      return { stage.update(times: 64) * 1_000 }
    },
    Benchmark(
      name: "hub-fan-out-one", operation: "a delivery to one of 1,000 sessions, one in a turn"
    ) {
      let stage = Stage(activities: 64, subscribers: 1_000)
      return { stage.update(times: 1) * 1_000 }
    },
  ]
}

/// A hub with one publisher and some subscribers.
private final class Stage {
  private let hub: Hub
  private let publisher: Session
  private let chunks: [[UInt8]]
  private var position = 0

  init(activities: Int, subscribers: Int) {
    let store = NoStore()
    hub = Hub(
      limits: Limits(),
      identity: Hub.Identity(epoch: "1q2w3e4r5t6z", version: "0", timeScale: 1) { "id" },
      store: StoreIdentity(epoch: "1q2w3e4r5t6z", lastSeq: 0, floor: 0), clock: FixedClock(),
      log: .silent)
    hub.committer = ImmediateCommitter(store: store, hub: hub)
    let peer = Peer(role: .publisher, scope: "tcp:127.0.0.1:7420", description: nil)
    publisher = hub.connect(NoTransport(), peer: peer)
    chunks = (0..<2).map { turn in (0..<activities).map { Self.line($0, turn) } }.flatMap { $0 }
    for number in 0..<activities { receive(Sample.startLine(number), publisher) }
    _ = hub.endTurn()
    for _ in 0..<subscribers {
      let session = hub.connect(NoTransport(), peer: peer)
      receive(Array("{\"op\":\"subscribe\",\"channels\":[\"bench\"]}\n".utf8), session)
    }
    while hub.endTurn() {}
  }

  /// An update with other content in each of two turns.
  private static func line(_ number: Int, _ turn: Int) -> [UInt8] {
    Array("{\"op\":\"update\",\"id\":\"\(Sample.id(number))\",\"content-state\":".utf8)
      + Sample.content(turn * 1_000_000 + number).bytes + Array("}\n".utf8)
  }

  /// So many updates in one turn of the loop.
  func update(times count: Int) -> Int {
    for _ in 0..<count {
      receive(chunks[position], publisher)
      position = (position + 1) % chunks.count
    }
    while hub.endTurn() {}
    return count
  }

  private func receive(_ bytes: [UInt8], _ session: Session) {
    unsafe hub.received(bytes.span.bytes, from: session)
  }
}

/// Takes everything at once and forgets it.
private final class NoTransport: Transport {
  let isWriting = false
  let unreadBytes = 0
  let peerAddress: String? = nil

  func tryWrite(_ slices: UnsafeBufferPointer<WriteSlice>) -> Int { unsafe slices.byteCount }
  func write(_ slices: UnsafeBufferPointer<WriteSlice>, from offset: Int) {}
  func startReading() {}
  func stopReading() {}
  func shutdown() {}
  func close() {}
}

/// Gives out seqs and keeps nothing.
private final class NoStore: Store {
  let identity = StoreIdentity(epoch: "1q2w3e4r5t6z", lastSeq: 0, floor: 0)
  private var seq: Seq = 0

  func load(_ receive: (StoredItem) -> Void) {}
  func changes(after seq: Seq, _ receive: (StoredItem) -> Void) {}

  func commit(_ mutations: [Mutation]) -> Committed {
    let before = seq
    let results = mutations.map { _ in
      seq += 1
      return MutationResult.seq(seq)
    }
    return Committed(seqBefore: before, results: results)
  }
}

private final class FixedClock: Clock {
  func now() -> Instant { Sample.now }
  func monotonicMicroseconds() -> Int64 { 0 }
}
