internal import ActivityCore
internal import ActivityStore
internal import Glibc

/// SQLite on a disk: with `TMPDIR` in memory, syncing costs nothing.
extension Benchmark {
  static let ofStore: [Benchmark] = [
    Benchmark(
      name: "store-commit", operation: "an update in a transaction of 512, of 1,024 activities"
    ) {
      try committing(batch: 512)
    },
    Benchmark(name: "store-single", operation: "an update in a transaction of its own, synced") {
      try committing(batch: 1)
    },
    Benchmark(name: "store-load", operation: "reading one of 10,000 activities") {
      let store = try Shelf(activities: 10_000)
      return {
        var count = 0
        try store.store.load { _ in count += 1 }
        return count
      }
    },
  ]

  private static func committing(batch count: Int) throws -> () throws -> Int {
    let shelf = try Shelf(activities: 1_024)
    let contents = (0..<16).map(Sample.content)
    var turn = 0
    return {
      var mutations: [Mutation] = []
      for _ in 0..<count {
        turn += 1
        mutations.append(shelf.change(turn % 1_024, to: contents[turn / 1_024 % 16]))
      }
      _ = try shelf.store.commit(mutations)
      return count
    }
  }
}

/// A store in a folder of its own, which goes with this object.
private final class Shelf {
  let store: SQLiteStore
  private let folder: String
  private var activities: [Activity]

  init(activities count: Int) throws {
    folder = try Self.makeFolder()
    store = try SQLiteStore(path: folder + "/bench.db")
    activities = (0..<count).map(Sample.activity)
    _ = try store.commit(
      activities.map { activity in
        var transition = Transition(activity: activity, basis: 0)
        transition.opensGeneration = true
        transition.entersView = true
        return .transition(transition)
      })
  }

  deinit {
    for name in ["", "-wal", "-shm"] { unsafe unlink(folder + "/bench.db" + name) }
    unsafe rmdir(folder)
  }

  func change(_ number: Int, to content: JSONText) -> Mutation {
    let basis = activities[number].version
    activities[number].version += 1
    activities[number].contentState = content
    return .transition(Transition(activity: activities[number], basis: basis))
  }

  private static func makeFolder() throws -> String {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var path = (parent + "/activitybench-XXXXXX").utf8CString.map(UInt8.init(bitPattern:))
    let isMade = unsafe path.withUnsafeMutableBytes { bytes in
      unsafe mkdtemp(bytes.baseAddress!.assumingMemoryBound(to: CChar.self)) != nil
    }
    guard isMade else { throw StoreError(.unavailable, "no folder can be made in \(parent)") }
    return String(decoding: path.dropLast(), as: UTF8.self)
  }
}
