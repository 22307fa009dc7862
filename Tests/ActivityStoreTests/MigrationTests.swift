import ActivityCore
import TestSupport
import Testing

@testable import ActivityStore

/// Migrations, which copy the file before they change it.
@Suite("Migrations of the store")
struct MigrationTests {
  let folder: TemporaryDirectory
  var path: String { folder.file("store.db") }

  init() throws { folder = try TemporaryDirectory() }

  /// The present schema and one more migration.
  private func schema(with migration: String) -> Schema {
    Schema(migrations: Schema.current.migrations + [migration])
  }

  private func makeStore() throws -> SQLiteStore {
    let store = try SQLiteStore(path: path)
    _ = try store.commit([start(sample("a")), start(sample("b"))])
    return store
  }

  @Test("an older store is migrated once, and copied before")
  func migration() throws {
    let before = try items(of: makeStore())
    let next = schema(with: "ALTER TABLE activities ADD COLUMN mood TEXT")
    let present = Schema.current.version
    let aside = path + ".schema-\(present)"
    // Of an earlier migration that failed.
    try Files.write([1], to: aside)
    for _ in 0..<2 {
      let store = try SQLiteStore(path: path, schema: next)
      #expect(try items(of: store) == before)
      #expect(try store.database.integer("PRAGMA user_version") == present + 1)
      _ = try store.database.integer("SELECT count(mood) FROM activities")
    }
    let copy = try SQLiteStore(path: aside)
    #expect(try items(of: copy) == before)
    #expect(try copy.database.integer("PRAGMA user_version") == present)
    #expect(mode(aside) == 0o600)
    #expect(try copy.identity.epoch != SQLiteStore(path: path, schema: next).identity.epoch)
  }

  @Test("a store of the first schema opens with all it held, and is copied before")
  func firstSchema() throws {
    try Files.write(contents(fixture("schema-1.db")), to: path)
    let store = try SQLiteStore(path: path)
    let activities = try items(of: store).compactMap { item in
      if case .activity(let activity) = item { activity } else { nil }
    }
    #expect(activities.map(\.id) == ["ride-1", "ride-2", "ride-3", "ride-4"])
    #expect(activities.map(\.state) == [.active, .ended, .pending, .dismissed])
    #expect(activities.filter { !$0.sensitive.isEmpty }.isEmpty)
    #expect(
      activities[0].contentState == JSONText(#"{"eta":5,"driver":{"name":"Ana"}}"#))
    #expect(store.identity.lastSeq == 6)
    #expect(exists(path + ".schema-1"))
    try store.verify()
  }

  private func fixture(_ name: String, from file: StaticString = #filePath) -> String {
    let folder = file.description.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return folder.joined(separator: "/") + "/Fixtures/" + name
  }

  @Test("a migration that fails leaves the store as it was")
  func failedMigration() throws {
    let before = try items(of: makeStore())
    let next = schema(with: "ALTER TABLE activities ADD COLUMN mood TEXT; UPDATE nothing SET x = 1")
    #expect(throws: StoreError.self) { _ = try SQLiteStore(path: path, schema: next) }
    let store = try SQLiteStore(path: path)
    #expect(try items(of: store) == before)
    try store.verify()
  }

  @Test("a new store has every migration, and no copy")
  func newest() throws {
    let next = schema(with: "ALTER TABLE activities ADD COLUMN mood TEXT")
    let store = try SQLiteStore(path: path, schema: next)
    let present = Schema.current.version
    #expect(try store.database.integer("PRAGMA user_version") == present + 1)
    #expect(!exists(path + ".schema-\(present)"))
  }
}
