internal import CSQLite

extension Database {
  /// Pages of 4,096 bytes that the write-ahead log may hold before a commit moves them into the
  /// database. Such a checkpoint costs two fsyncs and a write for each distinct page: the longer
  /// the log, the rarer, and the more of its pages have been overwritten meanwhile.
  static let checkpointPages: CInt = 2_048
  /// Pages at which the log begins anew though others read in it, and again after so many more.
  static let restartPages = 4 * checkpointPages
  /// What remains of the log after a burst has made it longer, in bytes.
  static let logBytesKept = Int(checkpointPages) * 4_096
  /// How long a commit waits for another process that writes, say somebody's `sqlite3`.
  static let busyTimeoutMilliseconds = 250
  /// Of pages, in KiB. Updates come back to the same activities, so their pages are kept.
  static let cacheKibibytes = 32_768

  /// What holds for a connection; none of it is kept in the file but the journal mode.
  func applySettings() throws(SQLiteError) {
    // A string in double quotes is an error, not a literal that hides a misspelt column.
    try setFlag(SQLITE_DBCONFIG_DQS_DDL, false)
    try setFlag(SQLITE_DBCONFIG_DQS_DML, false)
    // Nobody's SQL may write the schema table or otherwise damage the file.
    try setFlag(SQLITE_DBCONFIG_DEFENSIVE, true)
    // A schema that somebody put views or triggers into runs no functions with side effects.
    try setFlag(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    try execute("PRAGMA busy_timeout = \(Self.busyTimeoutMilliseconds)")
    // One sequential write and one fsync a commit.
    guard try text("PRAGMA journal_mode = WAL") == "wal" else {
      throw SQLiteError(.cannotOpen, "the file system can't hold a write-ahead log")
    }
    try execute(
      """
      -- The log is synced by every commit: what was answered survives a power failure.
      PRAGMA synchronous = FULL;
      PRAGMA journal_size_limit = \(Self.logBytesKept);
      PRAGMA cache_size = -\(Self.cacheKibibytes);
      -- The few sorts (changes after a failed commit) need no file.
      PRAGMA temp_store = MEMORY;
      -- Damage is found when a page is read, not when it has been made use of.
      PRAGMA cell_size_check = ON;
      -- Debian overwrites all that is deleted; FAST does where it costs no further page write.
      PRAGMA secure_delete = FAST;
      -- An I/O error on a mapped page would be a SIGBUS instead of a code.
      PRAGMA mmap_size = 0;
      -- No table refers to another in a way that SQLite should check.
      PRAGMA foreign_keys = OFF;
      """)
  }
}
