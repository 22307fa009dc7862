package import ActivityCore

/// Activities in one SQLite file.
///
/// Theory of operation. A commit is one IMMEDIATE transaction in the write-ahead log, synced
/// when it returns. It begins with the seq of the one row of `store` and ends by writing it back,
/// so that seqs rise without a gap and a transaction that landed though its COMMIT failed shows
/// up as `seqBefore`. An update writes its one row by its integer key, without reading it: what
/// the row keeps (shown-seq, an older alert's seq) is kept by the statement. The statements are
/// prepared when the store is opened and reset after each use.
///
/// A file appears whole: it is built under another name and renamed. It is never emptied or
/// replaced. Errors are `.unavailable` while the machine's state may pass, `.unusable` else; after
/// either, nothing of the transaction is visible.
package final class SQLiteStore: Store {
  package private(set) var identity: StoreIdentity
  package let path: String
  let database: Database
  let statements: Statements

  /// Opens the store at `path`, making it if there is none, and migrating it if it is older.
  package convenience init(path: String) throws(StoreError) {
    try self.init(path: path, schema: .current)
  }

  init(path: String, schema: Schema) throws(StoreError) {
    self.path = path
    do throws(SQLiteError) {
      try Self.createIfMissing(path: path, schema: schema)
      let (database, present) = try Self.open(path: path, schema: schema)
      self.database = database
      try database.applySettings()
      if present < schema.version {
        try Self.putAside(database, as: "\(path).schema-\(present)")
        try schema.migrate(database, from: present)
      }
      try database.lengthenLog()
      statements = try Statements.prepared(in: database)
      if try database.isCopy() { try Self.beginEpoch(database) }
      identity = try Self.readIdentity(database)
    } catch { throw error.storeError(path: path) }
  }

  /// Opens a file and looks at it, before anything is written: it may not be ours.
  private static func open(
    path: String, schema: Schema
  ) throws(SQLiteError) -> (Database, version: Int64) {
    do throws(SQLiteError) {
      let database = try Database(path: path)
      return (database, try schema.recognize(database))
    } catch {
      guard error.code == .noRoomForIndex else { throw error }
      // A full disk has no room for the log's index either, which processes share in a file. Kept
      // in our memory, it lets us read what is stored; no other process can until the next start.
      let database = try Database(path: path)
      try database.execute("PRAGMA locking_mode = EXCLUSIVE")
      return (database, try schema.recognize(database))
    }
  }

  static func readIdentity(_ database: Database) throws(SQLiteError) -> StoreIdentity {
    let row = try Statement("SELECT epoch, last_seq, floor FROM store", in: database)
    guard try row.step() else { throw SQLiteError(.corrupt, "the row of the store is missing") }
    let (lastSeq, floor) = (row.integer(at: 2), row.integer(at: 3))
    guard 0...Seq.jsonMax ~= lastSeq, 0...lastSeq ~= floor else {
      throw SQLiteError(.corrupt, "its newest seq, or its floor, can't be right")
    }
    return StoreIdentity(epoch: row.text(at: 1), lastSeq: lastSeq, floor: floor)
  }
}

// Epochs.
extension SQLiteStore {
  /// Begins a new epoch, so that no older cursor is taken up: for a file that was copied or
  /// restored by hand. Copies made by `backup` begin one by themselves.
  package func newEpoch() throws(StoreError) {
    do throws(SQLiteError) {
      try Self.beginEpoch(database)
      identity = try Self.readIdentity(database)
    } catch { throw error.storeError(path: path) }
  }

  private static func beginEpoch(_ database: Database) throws(SQLiteError) {
    try database.execute("UPDATE store SET epoch = '\(Epoch.random())', is_copy = 0")
  }
}

// Settings.
extension SQLiteStore {
  /// What the daemon keeps beside the activities, such as the time scale; nil if never set.
  package func value(for key: String) throws(StoreError) -> String? {
    do throws(SQLiteError) {
      let select = try Statement("SELECT value FROM settings WHERE key = ?1", in: database)
      try select.bind(key, at: 1)
      return try select.step() ? select.text(at: 1) : nil
    } catch { throw error.storeError(path: path) }
  }

  /// Durable when it returns.
  package func setValue(_ value: String, for key: String) throws(StoreError) {
    do throws(SQLiteError) {
      let insert = try Statement("INSERT OR REPLACE INTO settings VALUES (?1, ?2)", in: database)
      try insert.bind(key, at: 1)
      try insert.bind(value, at: 2)
      try insert.run()
    } catch { throw error.storeError(path: path) }
  }
}

/// What a commit needs, prepared once.
struct Statements: ~Copyable {
  let insertActivity: Statement
  let updateActivity: Statement
  let dismissActivity: Statement
  let newestActivity: Statement
  let setWatermark: Statement
  let forgetActivity: Statement
  let insertDismissal: Statement
  let forgetDismissals: Statement
  let insertOutcome: Statement
  let expireOutcomes: Statement
  let insertToken: Statement
  let deleteToken: Statement
  let readStore: Statement
  let writeStore: Statement

  static func prepared(in database: Database) throws(SQLiteError) -> Statements {
    try Statements(
      insertActivity: Statement(ActivityColumn.insert, in: database),
      updateActivity: Statement(ActivityColumn.update, in: database),
      dismissActivity: Statement(ActivityColumn.dismiss, in: database),
      newestActivity: Statement(
        ActivityColumn.select("WHERE id = ?1 ORDER BY generation DESC LIMIT 1"), in: database),
      setWatermark: Statement(
        """
        UPDATE activities SET watermark = ?2
        WHERE generation = (SELECT max(generation) FROM activities WHERE id = ?1)
        """, in: database),
      forgetActivity: Statement(
        "DELETE FROM activities WHERE generation = ?1 RETURNING seq", in: database),
      insertDismissal: Statement(Statement.insertDismissal, in: database),
      forgetDismissals: Statement(
        "DELETE FROM dismissals WHERE generation = ?1", in: database),
      insertOutcome: Statement(Statement.insertOutcome, in: database),
      expireOutcomes: Statement(
        "DELETE FROM outcomes WHERE expires_at <= ?1", in: database),
      insertToken: Statement(Statement.insertToken, in: database),
      deleteToken: Statement("DELETE FROM tokens WHERE key = ?1", in: database),
      readStore: Statement("SELECT last_seq, floor FROM store", in: database),
      writeStore: Statement("UPDATE store SET last_seq = ?1, floor = ?2", in: database))
  }
}
