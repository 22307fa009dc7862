import ActivityCore
import Glibc
import TestSupport
import Testing

@testable import ActivityStore

/// How a store begins, and what it refuses.
@Suite("The store's file")
struct FileTests {
  let folder: TemporaryDirectory
  var path: String { folder.file("store.db") }

  init() throws { folder = try TemporaryDirectory() }

  /// Opening must fail for good, and leave the file's bytes alone.
  private func expectUnusable(_ words: String, _ comment: Comment? = nil) throws {
    let before = contents(path)
    let error = #expect(throws: StoreError.self, comment) { _ = try SQLiteStore(path: path) }
    #expect(error?.kind == .unusable, comment)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains(path) == true)
    #expect(contents(path) == before, comment)
  }

  private func makeStore() throws {
    let store = try SQLiteStore(path: path)
    for number in 0..<20 { _ = try store.commit([start(sample("\(number)"))]) }
  }

  @Test("is new, empty and its owner's alone when there was none")
  func new() throws {
    let store = try SQLiteStore(path: path)
    #expect(store.identity.lastSeq == 0)
    #expect(store.identity.floor == 0)
    #expect(store.identity.epoch.utf8.allSatisfy { (48...57) ~= $0 || (97...122) ~= $0 })
    #expect((8...13).contains(store.identity.epoch.utf8.count))
    _ = try store.commit([start(sample())])
    #expect(mode(path) == 0o600)
    #expect(mode(path + "-wal") == 0o600)
    #expect(!exists(path + ".new"))
    try store.verify()
  }

  @Test("is kept in the write-ahead log's mode, synced, and shrinks; double quotes are for names")
  func settings() throws {
    let database = try SQLiteStore(path: path).database
    #expect(try database.text("PRAGMA journal_mode") == "wal")
    #expect(try database.integer("PRAGMA synchronous") == 2)
    #expect(try database.integer("PRAGMA auto_vacuum") == 2)
    #expect(try database.integer("PRAGMA trusted_schema") == 0)
    #expect(throws: SQLiteError.self) { try database.text("SELECT \"no such column\"") }
  }

  @Test("keeps its epoch; another one has another")
  func epoch() throws {
    let epoch = try SQLiteStore(path: path).identity.epoch
    #expect(try SQLiteStore(path: path).identity.epoch == epoch)
    #expect(try SQLiteStore(path: folder.file("other.db")).identity.epoch != epoch)
  }

  @Test("begins a new epoch when asked to, and keeps that")
  func newEpoch() throws {
    let store = try SQLiteStore(path: path)
    let epoch = store.identity.epoch
    try store.newEpoch()
    #expect(store.identity.epoch != epoch)
    #expect(try SQLiteStore(path: path).identity == store.identity)
  }

  @Test("keeps the daemon's settings")
  func values() throws {
    let store = try SQLiteStore(path: path)
    #expect(try store.value(for: "time-scale") == nil)
    try store.setValue("60", for: "time-scale")
    try store.setValue("480", for: "time-scale")
    #expect(try SQLiteStore(path: path).value(for: "time-scale") == "480")
  }

  @Test("is made again after an interrupted beginning")
  func interruptedBeginning() throws {
    try Files.write([1, 2, 3], to: path + ".new")
    try SQLiteStore(path: path).verify()
  }

  @Test("isn't made beside the log of a lost one")
  func orphanedLog() throws {
    try Files.write([1, 2, 3], to: path + "-wal")
    let error = #expect(throws: StoreError.self) { _ = try SQLiteStore(path: path) }
    #expect(error?.kind == .unusable)
    #expect(!exists(path))
  }

  @Test("in a folder that isn't there is unavailable")
  func noFolder() throws {
    let error = #expect(throws: StoreError.self) {
      _ = try SQLiteStore(path: folder.file("none/store.db"))
    }
    #expect(error?.kind == .unavailable)
  }

  @Test("is refused if it isn't a database")
  func notADatabase() throws {
    try Files.write(Array(repeating: UInt8(ascii: "x"), count: 10_000), to: path)
    try expectUnusable("not a database")
  }

  @Test("is refused if it is empty")
  func empty() throws {
    try Files.write([], to: path)
    try expectUnusable("empty")
  }

  @Test("is refused if it is somebody else's database, which stays as it is")
  func foreign() throws {
    try Files.write([], to: path)
    try Database(path: path).execute("CREATE TABLE t (x)")
    try expectUnusable("isn't one of activityd's")
  }

  @Test("is refused if its schema is of the future")
  func future() throws {
    try makeStore()
    try Database(path: path).execute("PRAGMA user_version = 99")
    try expectUnusable("newer activityd")
  }

  @Test("is refused if its header is damaged")
  func damagedHeader() throws {
    try makeStore()
    var bytes = contents(path)
    bytes.replaceSubrange(0..<64, with: repeatElement(0xaa, count: 64))
    try Files.write(bytes, to: path)
    try expectUnusable("")
  }

  @Test("is refused if it is cut short", arguments: [1, 100, 4_096, 8_192, 10_000])
  func cutShort(count: Int) throws {
    try makeStore()
    let bytes = contents(path)
    try #require(bytes.count > count)
    try Files.write(Array(bytes[..<count]), to: path)
    try expectUnusable("", "\(count) of \(bytes.count) bytes")
  }

  @Test("with a damaged page fails to load or to be verified, never silently")
  func damagedPage() throws {
    try makeStore()
    var bytes = contents(path)
    // Every page but the first, which holds the schema.
    for index in bytes.indices.dropFirst(4_096) { bytes[index] ^= 0x55 }
    try Files.write(bytes, to: path)
    let error = #expect(throws: StoreError.self) {
      let store = try SQLiteStore(path: path)
      try store.load { _ in }
    }
    #expect(error?.kind == .unusable)
  }

  @Test(
    "whose rows nobody can have written is refused when it is read",
    arguments: [
      "UPDATE activities SET seq = 9223372036854775807", "UPDATE activities SET version = 0",
      "UPDATE activities SET version = 9223372036854775807", "UPDATE activities SET seq = 0",
      "UPDATE activities SET shown_seq = 900", "UPDATE activities SET state = 'asleep'",
      "UPDATE activities SET state = 'ended'", "UPDATE activities SET state = 'dismissed'",
      "UPDATE activities SET relevance_score = 9e999", "UPDATE activities SET lifetime = -1",
      "UPDATE activities SET start_date = 9223372036854775807", "UPDATE store SET last_seq = 4",
      "UPDATE activities SET stale_date = -9223372036854775808",
      "UPDATE activities SET channels = 'c'", "UPDATE activities SET start_digest = x'00'",
      "UPDATE activities SET reason = 'whim'", "UPDATE store SET floor = 1000",
      "UPDATE store SET last_seq = 9223372036854775807",
    ])
  func impossibleRow(damage: String) throws {
    let store = try SQLiteStore(path: path)
    _ = try store.commit((0..<5).map { start(sample("\($0)")) })
    try store.database.execute(damage)
    let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path).load { _ in } }
    #expect(error?.kind == .unusable)
  }

  @Test("is found out if its rows contradict each other")
  func contradiction() throws {
    let violations = [
      "UPDATE store SET last_seq = 3", "UPDATE activities SET shown_seq = seq + 1",
      "UPDATE activities SET id = 'same'", "UPDATE store SET floor = 1000",
      "INSERT INTO dismissals VALUES (900, 'phone', 'x', 1)",
      "UPDATE activities SET content_state = '{'", "UPDATE activities SET links = 'active'",
    ]
    for (number, violation) in violations.enumerated() {
      let path = folder.file("\(number).db")
      let store = try SQLiteStore(path: path)
      _ = try store.commit((0..<5).map { start(sample("\($0)")) })
      try store.verify()
      try store.database.execute(violation)
      let error = #expect(throws: StoreError.self, "\(violation)") { try store.verify() }
      #expect(error?.kind == .unusable)
    }
  }
}
