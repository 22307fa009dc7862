import ActivityCore
import TestSupport
import Testing

@testable import ActivityStore

/// Copies that are made while the store is used.
@Suite("Backups of the store")
struct BackupTests {
  let folder: TemporaryDirectory
  var path: String { folder.file("store.db") }

  init() throws { folder = try TemporaryDirectory() }

  private func makeStore(_ count: Int = 2) throws -> SQLiteStore {
    let store = try SQLiteStore(path: path)
    for number in 0..<count { _ = try store.commit([start(sample("\(number)"))]) }
    return store
  }

  private func large(_ id: String) -> Mutation {
    var activity = sample(id)
    activity.contentState = JSONText(bytes: Array(repeating: UInt8(ascii: "7"), count: 4_000))
    return start(activity)
  }

  /// Makes a whole backup; `meanwhile` is called between its pieces.
  private func backUp(
    _ store: SQLiteStore, to path: String? = nil, meanwhile: () throws -> Void = {}
  ) throws -> Backup {
    let copy = try StoreCopy(of: store, to: path)
    while true {
      if let made = try copy.advance() { return made }
      try meanwhile()
    }
  }

  @Test("a backup holds what the store holds, for its owner, in a new epoch")
  func backup() throws {
    let store = try makeStore()
    let made = try backUp(store, to: folder.file("copy.db"))
    #expect(made.path == folder.file("copy.db"))
    #expect(made.seq == 2)
    #expect(made.bytes == Int64(contents(made.path).count))
    #expect(mode(made.path) == 0o600)
    #expect(!exists(made.path + "-wal"))
    let copy = try SQLiteStore(path: made.path)
    #expect(try items(of: copy) == items(of: store))
    #expect(copy.identity.lastSeq == 2)
    #expect(copy.identity.epoch != store.identity.epoch)
    // It is a store like any other from then on.
    #expect(try SQLiteStore(path: made.path).identity == copy.identity)
    // And this one stays what it was.
    #expect(try SQLiteStore(path: path).identity.epoch == store.identity.epoch)
    try copy.verify()
  }

  @Test("what is committed between its pieces is in it")
  func meanwhile() throws {
    let store = try makeStore(1)
    var oldest = sample("0")
    oldest.generation = 1
    // Some pieces of 1 MiB.
    for chunk in 0..<10 { _ = try store.commit((0..<200).map { large("\(chunk)-\($0)") }) }
    var pieces = 0
    let made = try backUp(store) {
      pieces += 1
      // One row in pages that are copied, and one in pages that aren't.
      _ = try store.commit([change(&oldest), large("new-\(pieces)")])
    }
    #expect(pieces > 3)
    #expect(made.seq == 2_001 + Int64(2 * pieces))
    let copy = try SQLiteStore(path: made.path)
    try copy.verify()
    #expect(try items(of: copy) == items(of: store))
  }

  @Test("without a path it is named for epoch and seq, in a folder beside the store")
  func ownName() throws {
    let store = try makeStore()
    let made = try backUp(store)
    let backups = folder.file("backups")
    #expect(made.path == "\(backups)/activityd-\(store.identity.epoch)-2.db")
    #expect(mode(backups) == 0o700)
    #expect(try backUp(store, to: "mine.db").path == "\(backups)/mine.db")
    #expect(!exists("\(backups)/.activityd-\(store.identity.epoch).part"))
  }

  @Test("a backup never goes over a file, not even one that appears meanwhile")
  func fileExists() throws {
    let store = try makeStore()
    let path = folder.file("copy.db")
    let copy = try StoreCopy(of: store, to: path)
    try Files.write([1], to: path)
    let late = #expect(throws: BackupError.self) { while try copy.advance() == nil {} }
    #expect(late?.kind == .place)
    let early = #expect(throws: BackupError.self) { _ = try StoreCopy(of: store, to: path) }
    #expect(early?.kind == .place)
    #expect(contents(path) == [1])
  }

  @Test("where no file can be made the place is to blame, and nothing is left behind")
  func badPlace() throws {
    let store = try makeStore()
    let error = #expect(throws: BackupError.self) {
      _ = try StoreCopy(of: store, to: folder.file("no/such/folder.db"))
    }
    #expect(error?.kind == .place)
    #expect(error?.message.contains("no/such/folder.db") == true)
  }

  @Test("one that is given up leaves nothing behind, and one that was killed is written over")
  func interrupted() throws {
    let store = try makeStore()
    let part = folder.file(".activityd-\(store.identity.epoch).part")
    do {
      let copy = try StoreCopy(of: store, to: folder.file("copy.db"))
      #expect(exists(part))
      _ = copy
    }
    #expect(!exists(part))
    try Files.write([1], to: part)
    #expect(try backUp(store, to: folder.file("copy.db")).seq == 2)
    #expect(!exists(part))
  }
}
