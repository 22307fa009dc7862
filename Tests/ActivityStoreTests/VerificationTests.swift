import ActivityCore
import Glibc
import TestSupport
import Testing

@testable import ActivityStore

/// What is found in a store's file, and that looking for it writes nothing.
@Suite("Verification of a store at rest")
struct VerificationTests {
  let folder: TemporaryDirectory
  var path: String { folder.file("store.db") }

  init() throws { folder = try TemporaryDirectory() }

  /// A store with something in it. While it is open, its newest commits are only in the log.
  private func makeStore() throws -> SQLiteStore {
    let store = try SQLiteStore(path: path)
    _ = try store.commit((0..<50).map { start(sample("\($0)")) })
    return store
  }

  /// The report, given that nothing changes while it is made.
  private func report() -> StoreReport {
    let files = [path, path + "-wal", path + "-shm"]
    let before = files.map { exists($0) ? contents($0) : [] }
    let names = names(in: folder.path)
    let report = StoreReport(onFileAt: path)
    #expect(files.map { exists($0) ? contents($0) : [] } == before)
    #expect(self.names(in: folder.path) == names)
    return report
  }

  private func names(in path: String) -> Set<String> {
    guard let folder = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(folder) }
    var names: Set<String> = []
    while let entry = unsafe readdir(folder) {
      unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
          _ = unsafe names.insert(String(cString: $0))
        }
      }
    }
    return names
  }

  @Test("a store that was closed is sound, and says what it holds")
  func closed() throws {
    do { _ = try makeStore() }
    let report = report()
    #expect(report.problems == [])
    #expect(report.facts.contains("seq 50"))
    #expect(report.facts.contains("active 50"))
  }

  @Test("one whose process was killed is sound with what is in its log only")
  func killed() throws {
    let store = try makeStore()
    let files = ["", "-wal"].map { ($0, contents(path + $0)) }
    _ = consume store
    for (suffix, bytes) in files { try Files.write(bytes, to: folder.file("killed.db" + suffix)) }
    let killed = folder.file("killed.db")
    let names = names(in: folder.path)
    let report = StoreReport(onFileAt: killed)
    #expect(report.problems == [])
    #expect(report.facts.contains("active 50"))
    #expect(self.names(in: folder.path) == names)
    for (suffix, bytes) in files { #expect(contents(killed + suffix) == bytes) }
    // Without its log it is an older one.
    _ = unsafe unlink(killed + "-wal")
    #expect(StoreReport(onFileAt: killed).facts.contains("active 0"))
  }

  @Test("a path may hold what means something in a URI")
  func awkwardPath() throws {
    let awkward = folder.file("50%25?mode=rw#x.db")
    do { _ = try SQLiteStore(path: awkward) }
    #expect(StoreReport(onFileAt: awkward).problems == [])
    #expect(names(in: folder.path).contains("50%25?mode=rw#x.db"))
  }

  @Test("what is damaged, cut short, another's, of the future or missing is said to be so")
  func damaged() throws {
    do { _ = try makeStore() }
    let whole = contents(path)
    var flipped = whole
    for index in flipped.indices.dropFirst(4_096) { flipped[index] ^= 0x55 }
    for bytes in [flipped, Array(whole.dropLast(4_096)), Array(whole.prefix(1_000)), [], [1, 2]] {
      try Files.write(bytes, to: path)
      #expect(!report().problems.isEmpty)
    }
    try Files.write(whole, to: path)
    try Database(path: path).execute("PRAGMA user_version = 1000")
    #expect(report().problems.contains { $0.contains("newer activityd") })
    try Database(path: path).execute("PRAGMA application_id = 1")
    #expect(report().problems == ["the database isn't one of activityd's"])
    #expect(StoreReport(onFileAt: folder.file("none.db")).problems == ["there is no such file"])
    #expect(report().facts.isEmpty)
  }

  @Test(
    "rows that contradict each other, or that can't be read, are told",
    arguments: [
      "UPDATE store SET last_seq = 3", "UPDATE activities SET shown_seq = seq + 1",
      "UPDATE activities SET id = 'same'", "UPDATE store SET floor = 1000",
      "INSERT INTO dismissals VALUES (900, 'phone', 'x', 1)",
      "INSERT INTO dismissals VALUES (9, 'phone', 'x', 9)",
      "UPDATE activities SET shown_seq = 0", "UPDATE activities SET state = 'ended'",
      "UPDATE activities SET state = 'stale'", "UPDATE activities SET state = 'lost'",
      "UPDATE activities SET content_state = '{'", "UPDATE activities SET lifetime = 0",
      "UPDATE activities SET start_digest = x'00'", "DELETE FROM store",
    ])
  func contradiction(violation: String) throws {
    do {
      let store = try makeStore()
      try store.database.execute(violation)
    }
    #expect(!report().problems.isEmpty)
  }
}
