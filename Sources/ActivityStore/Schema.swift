import ActivityCore

/// The tables, as a list of numbered migrations; a store's `user_version` counts those it has.
///
/// How to change the schema:
/// 1. Never edit a migration that was released; append one. Its number is its place, from 1.
/// 2. Keep a store written by the version before as a fixture, and test that it opens with all
///    it held.
/// 3. A migration is plain SQL and runs in one transaction with the others that are due: a store
///    has all of them or stays as it was. Before it, the file is copied to
///    `<path>.schema-<its version>`; that copy begins a new epoch if it is ever opened.
/// 4. There is no way back: an older program refuses the newer file. The copy is the way back.
struct Schema {
  let migrations: [String]

  static let current = Schema(migrations: [tables, publishers, access])

  var version: Int64 { Int64(migrations.count) }

  /// `PRAGMA application_id`: "Actv", by which file(1) and we recognise the file.
  static let applicationID: Int64 = 0x4163_7476

  /// Instants and spans are integers in microseconds; JSON is compact text.
  private static let tables = """
    -- One row; the numbers of the whole store.
    CREATE TABLE store (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      epoch TEXT NOT NULL,          -- of its cursors; new with every new or restored store
      last_seq INTEGER NOT NULL,    -- the newest seq given
      floor INTEGER NOT NULL,       -- the highest seq of a forgotten tombstone
      is_copy INTEGER NOT NULL,     -- 1 in a backup: opening it begins a new epoch
      created_at INTEGER NOT NULL   -- on the machine's clock
    ) STRICT;

    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    -- One row a generation; a dismissed one is a tombstone.
    CREATE TABLE activities (
      generation INTEGER PRIMARY KEY,   -- the seq of its start
      id TEXT NOT NULL,
      version INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      shown_seq INTEGER NOT NULL,
      state TEXT NOT NULL,
      attributes_type TEXT NOT NULL,
      channels TEXT NOT NULL,           -- a JSON array of strings
      relevance_score REAL NOT NULL,
      source TEXT,
      source_priority INTEGER,
      changed_by TEXT,
      reason TEXT,
      watermark INTEGER NOT NULL,
      start_timestamp INTEGER NOT NULL,
      start_date INTEGER NOT NULL,
      lifetime INTEGER NOT NULL,
      stale_date INTEGER,
      ended_at INTEGER,
      dismissal_date INTEGER,
      dismissed_at INTEGER,
      due_at INTEGER,
      alert TEXT,
      alert_version INTEGER,
      alert_seq INTEGER,
      alert_at INTEGER,
      start_digest BLOB NOT NULL,       -- 16 bytes
      url TEXT,
      links TEXT,
      attributes TEXT NOT NULL,
      content_state TEXT NOT NULL       -- the longest last: all else is found before it
    ) STRICT;

    -- The newest generation of an id. Updates don't touch it. There is deliberately none on seq,
    -- which every update would have to move: changes are asked for by seq only after a failed
    -- commit, and a scan answers that.
    CREATE INDEX activities_by_id ON activities (id);

    -- What single devices dismissed.
    CREATE TABLE dismissals (
      generation INTEGER NOT NULL,
      device TEXT NOT NULL,
      id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      PRIMARY KEY (generation, device)
    ) STRICT, WITHOUT ROWID;

    -- Answers kept for requests that had an idempotency key; from `id` on, the activity as told.
    CREATE TABLE outcomes (
      scope TEXT NOT NULL,
      key TEXT NOT NULL,
      request BLOB NOT NULL,            -- 16 bytes
      expires_at INTEGER NOT NULL,
      op TEXT NOT NULL,
      applied INTEGER NOT NULL,
      ignored TEXT NOT NULL,            -- a JSON array of strings
      id TEXT NOT NULL,
      generation INTEGER NOT NULL,
      version INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      state TEXT NOT NULL,
      start_date INTEGER,
      stale_date INTEGER,
      end_date INTEGER,
      dismissal_date INTEGER,
      PRIMARY KEY (scope, key)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX outcomes_by_expiry ON outcomes (expires_at);
    """

  /// Whose activities they are, to count them.
  private static let publishers = "ALTER TABLE activities ADD COLUMN started_by TEXT"

  /// Tokens, and what of an activity isn't shown in public.
  private static let access = """
    ALTER TABLE activities ADD COLUMN sensitive TEXT;  -- a JSON array of paths

    CREATE TABLE tokens (
      key TEXT PRIMARY KEY,             -- the public part
      hash BLOB NOT NULL,               -- SHA-256 of the whole
      name TEXT NOT NULL UNIQUE,
      role TEXT NOT NULL,
      channels TEXT,                    -- a JSON array of patterns; NULL for all, like types
      types TEXT,
      everywhere INTEGER NOT NULL,
      surface TEXT,
      device TEXT,
      created_at INTEGER NOT NULL,
      expires_at INTEGER
    ) STRICT, WITHOUT ROWID;
    """
}

extension Schema {
  /// Builds the tables in an empty file.
  func create(in database: Database) throws(SQLiteError) {
    // Only before the first table: freed pages can then be given back a few at a time.
    try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
    try database.transaction { () throws(SQLiteError) in
      try run(migrations[...], in: database)
      try database.execute(
        """
        PRAGMA application_id = \(Self.applicationID);
        INSERT INTO store VALUES (1, '\(Epoch.random())', 0, 0, 0, unixepoch() * 1000000);
        """)
    }
  }

  /// The version of a file, which is only read. Throws if it isn't a store that this program knows.
  func recognize(_ database: Database) throws(SQLiteError) -> Int64 {
    guard try database.integer("PRAGMA page_count") > 0 else {
      throw SQLiteError(.notADatabase, "the file is empty, which no store ever is")
    }
    guard try database.integer("PRAGMA application_id") == Self.applicationID else {
      throw SQLiteError(.notADatabase, "the database isn't one of activityd's")
    }
    let present = try database.integer("PRAGMA user_version")
    guard present <= version else {
      throw SQLiteError(
        .mismatch,
        "it was written by a newer activityd (its schema is \(present), this program knows "
          + "\(version)): run that one, or restore an older backup")
    }
    return present
  }

  /// Brings a file up to this schema, in one transaction.
  func migrate(_ database: Database, from present: Int64) throws(SQLiteError) {
    try database.transaction { () throws(SQLiteError) in
      try run(migrations.dropFirst(Int(present)), in: database)
    }
  }

  private func run(_ due: ArraySlice<String>, in database: Database) throws(SQLiteError) {
    for migration in due { try database.execute(migration) }
    try database.execute("PRAGMA user_version = \(version)")
  }
}

/// Names of epochs.
enum Epoch {
  /// 13 characters of `[0-9a-z]` at most.
  static func random() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }
}
