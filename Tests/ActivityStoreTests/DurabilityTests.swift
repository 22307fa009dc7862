import ActivityCore
import Glibc
import TestSupport
import Testing

@testable import ActivityStore

/// Full disks, other processes, crashes and the length of the log.
@Suite("The store in trouble")
struct DurabilityTests {
  let folder: TemporaryDirectory
  var path: String { folder.file("store.db") }

  init() throws { folder = try TemporaryDirectory() }

  private func large(_ id: String) -> Mutation {
    var activity = sample(id)
    activity.contentState = JSONText(bytes: Array(repeating: UInt8(ascii: "7"), count: 4_000))
    return start(activity)
  }

  @Test("a full disk is unavailable, loses the batch whole, and works again with room")
  func fullDisk() throws {
    let store = try SQLiteStore(path: path)
    _ = try store.commit([start(sample("first"))])
    let pages = try store.database.integer("PRAGMA page_count")
    try store.database.execute("PRAGMA max_page_count = \(pages + 4)")
    let error = #expect(throws: StoreError.self) {
      _ = try store.commit((0..<10).map { large("\($0)") })
    }
    #expect(error?.kind == .unavailable)
    #expect(try items(of: store).count == 1)
    #expect(try store.commit([.trial]).seqBefore == 1)
    try store.database.execute("PRAGMA max_page_count = 1000000")
    let committed = try store.commit((0..<10).map { large("\($0)") })
    #expect(committed.seqBefore == 1)
    #expect(committed.results.first == .seq(2))
    try store.verify()
  }

  @Test("another process that writes makes it unavailable until it is done")
  func locked() throws {
    let store = try SQLiteStore(path: path)
    let other = try Database(path: path)
    try other.execute("BEGIN IMMEDIATE")
    let error = #expect(throws: StoreError.self) { _ = try store.commit([start(sample())]) }
    #expect(error?.kind == .unavailable)
    try other.execute("ROLLBACK")
    #expect(try store.commit([start(sample())]) == Committed(seqBefore: 0, results: [.seq(1)]))
  }

  @Test("the seq before a commit is the file's, whatever this program believes")
  func seqBefore() throws {
    let store = try SQLiteStore(path: path)
    _ = try store.commit([start(sample("a"))])
    // As a transaction that landed though its COMMIT failed.
    _ = try SQLiteStore(path: path).commit([start(sample("b"))])
    #expect(try store.commit([start(sample("c"))]) == Committed(seqBefore: 2, results: [.seq(3)]))
  }

  @Test("what was committed outlives a process that is killed")
  func killed() async throws {
    let path = path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try SQLiteStore(path: path)
      _ = try store.commit([start(sample("a")), start(sample("b"))])
      kill(getpid(), SIGKILL)
    }
    #expect(size(path + "-wal") > 0)
    let store = try SQLiteStore(path: path)
    #expect(store.identity.lastSeq == 2)
    #expect(try items(of: store).count == 2)
    try store.verify()
  }

  @Test("a transaction under way when the process is killed leaves nothing")
  func killedMidway() async throws {
    let path = path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try SQLiteStore(path: path)
      _ = try store.commit([start(sample("a"))])
      // So that pages of the open transaction are written to the log.
      try store.database.execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE")
      for _ in 0..<2_000 {
        try store.database.execute(
          "INSERT INTO dismissals VALUES (abs(random()), 'phone', hex(zeroblob(100)), 1)")
      }
      kill(getpid(), SIGKILL)
    }
    #expect(size(path + "-wal") > 100_000)
    let store = try SQLiteStore(path: path)
    #expect(try items(of: store).count == 1)
    try store.verify()
  }

  @Test("the log stays bounded under load, and is never made shorter than it gets")
  func boundedLog() throws {
    let store = try SQLiteStore(path: path)
    let longest = try longestLog(of: store, bytes: 3 * Database.logBytesKept)
    // What a checkpoint leaves, and a transaction or two of 256 rows with their own pages.
    #expect(longest > Database.logBytesKept / 2)
    #expect(longest < Database.logBytesKept + 4 * 256 * 4_120)
    try store.checkpointWhenIdle()
    #expect(size(path + "-wal") >= Database.logBytesKept)
    #expect(size(path + "-wal") <= longest)
    try store.verify()
  }

  @Test("the log stays bounded though somebody always reads, as long as each comes to an end")
  func readersThatOverlap() throws {
    let store = try SQLiteStore(path: path)
    let readers = try OverlappingReaders(path: path)
    let bound = Int(Database.restartPages) * 4_096
    let longest = try longestLog(of: store, bytes: 2 * bound)
    #expect(readers.stop() > 100)
    #expect(longest < bound + 4 * 256 * 4_120)
    try store.verify()
  }

  @Test("somebody who reads without end lets the log grow; once he is done it is short again")
  func readerWithoutEnd() throws {
    let store = try SQLiteStore(path: path)
    let reader = try Database(path: path)
    try reader.execute("BEGIN; SELECT count(*) FROM activities")
    let bytes = 2 * Int(Database.restartPages) * 4_096
    #expect(try longestLog(of: store, bytes: bytes) > bytes * 3 / 4)
    try reader.execute("COMMIT")
    _ = try longestLog(of: store, bytes: 3 * Database.logBytesKept)
    #expect(size(path + "-wal") <= 2 * Database.logBytesKept)
  }

  /// Writes so many bytes of updates; the longest that the log ever was.
  private func longestLog(of store: SQLiteStore, bytes: Int) throws -> Int {
    var activities = (0..<256).map { sample("\($0)") }
    for index in activities.indices {
      let committed = try store.commit([start(activities[index])])
      activities[index].generation = committed.seqBefore + 1
    }
    var longest = 0
    var written = 0
    // SQLite leaves a page alone that is what it was. A zero may not lead a number.
    for digit in sequence(first: UInt8(ascii: "1"), next: { $0 == 0x39 ? 0x31 : $0 + 1 }) {
      guard written < bytes else { break }
      let content = JSONText(bytes: Array(repeating: digit, count: 4_000))
      _ = try store.commit(
        activities.indices.map { change(&activities[$0]) { $0.contentState = content } })
      longest = max(longest, size(path + "-wal"))
      written += activities.count * 4_096
    }
    return longest
  }

  @Test("idle time gives forgotten activities' pages back")
  func shrinks() throws {
    let store = try SQLiteStore(path: path)
    _ = try store.commit((0..<500).map { large("\($0)") })
    try store.checkpointWhenIdle()
    let before = size(path)
    _ = try store.commit((1...500).map { .forget(Generation($0)) })
    try store.checkpointWhenIdle()
    #expect(size(path) < before / 4)
    try store.verify()
  }

  @Test("somebody who reads the file doesn't make idle time fail")
  func reader() throws {
    let store = try SQLiteStore(path: path)
    _ = try store.commit([start(sample("a"))])
    let other = try Database(path: path)
    try other.execute("BEGIN; SELECT * FROM activities")
    _ = try store.commit([start(sample("b"))])
    try store.checkpointWhenIdle()
    #expect(try items(of: store).count == 2)
  }
}
