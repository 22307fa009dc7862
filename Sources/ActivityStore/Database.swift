internal import CSQLite

/// A connection to one SQLite file. Not Sendable: used from one thread at a time.
@safe final class Database {
  let raw: OpaquePointer
  let path: String
  /// Pages that the write-ahead log may hold before a commit moves them into the database.
  var checkpointPages = Database.checkpointPages
  /// The length at which the log is next cut off, whoever reads.
  private var restartPages = Database.restartPages

  /// Opens a file that exists; it is neither read nor changed yet.
  convenience init(path: String) throws(SQLiteError) {
    // NOMUTEX: one thread at a time uses the connection, so its lock would only cost time.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    try self.init(path: path, name: path, flags: flags, system: nil)
  }

  /// - Parameters:
  ///   - name: the path as SQLite is to be told it.
  ///   - system: SQLite's name for the way to files; nil for the usual one.
  init(path: String, name: String, flags: CInt, system: String?) throws(SQLiteError) {
    self.path = path
    _ = Self.isConfigured
    var handle: OpaquePointer?
    let status = unsafe sqlite3_open_v2(name, &handle, flags, system)
    guard status == SQLITE_OK, let opened = unsafe handle else {
      let message = unsafe String(cString: sqlite3_errstr(status))
      unsafe sqlite3_close_v2(handle)
      throw SQLiteError(status: status, message)
    }
    unsafe raw = opened
    watchLog()
  }

  /// Of the whole library, once, before its first use. A refusal costs time and nothing else.
  private static let isConfigured = csqlite_count_no_memory() == SQLITE_OK

  // The v2 of close waits for the statements, whichever are finalized later.
  deinit { unsafe sqlite3_close_v2(raw) }

  /// The caller owns the result and finalizes it; only `Statement` does.
  func prepare(_ sql: String) throws(SQLiteError) -> OpaquePointer {
    var statement: OpaquePointer?
    let status = unsafe sqlite3_prepare_v3(
      raw, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard status == SQLITE_OK, let statement = unsafe statement else { throw error(status) }
    return unsafe statement
  }

  /// Runs statements that need no parameters; rows are thrown away.
  func execute(_ sql: String) throws(SQLiteError) {
    let status = unsafe sqlite3_exec(raw, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw error(status) }
  }

  /// The integer in the first column of the first row; 0 without one.
  func integer(_ sql: String) throws(SQLiteError) -> Int64 {
    let statement = try Statement(sql, in: self)
    return try statement.step() ? statement.integer(at: 1) : 0
  }

  /// The text in the first column of the first row.
  func text(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try Statement(sql, in: self)
    return try statement.step() ? statement.textIfAny(at: 1) : nil
  }

  /// How many rows the latest INSERT, UPDATE or DELETE wrote.
  var rowsChanged: Int64 { unsafe sqlite3_changes64(raw) }

  func setFlag(_ option: CInt, _ isOn: Bool) throws(SQLiteError) {
    let status = unsafe csqlite_set_flag(raw, option, isOn ? 1 : 0)
    guard status == SQLITE_OK else { throw error(status) }
  }

  /// What the latest call on this connection failed with.
  func error() -> SQLiteError { error(unsafe sqlite3_extended_errcode(raw)) }

  private func error(_ status: CInt) -> SQLiteError {
    SQLiteError(status: status, unsafe String(cString: sqlite3_errmsg(raw)))
  }
}

// Transactions.
extension Database {
  private var isInTransaction: Bool { unsafe sqlite3_get_autocommit(raw) == 0 }

  /// Carries out all of `body` or nothing. After a throw nothing of it is visible here, but
  /// whether a failed COMMIT survives a crash is unknown.
  func transaction<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    // Only if an earlier ROLLBACK failed.
    if isInTransaction { try execute("ROLLBACK") }
    // IMMEDIATE takes the write lock first: later it could no longer be waited for.
    try execute("BEGIN IMMEDIATE")
    do throws(SQLiteError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // A full disk or an I/O error has ended the transaction already. The first error is the
      // one to tell; a ROLLBACK that fails is made up for by the next transaction.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }
}

// The write-ahead log.
extension Database {
  /// Has `logGrew` called after each commit, in the place of SQLite's own checkpoints.
  private func watchLog() {
    // The connection doesn't outlive this object.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_wal_hook(
      raw,
      { context, _, _, pages in
        unsafe Unmanaged<Database>.fromOpaque(context!).takeUnretainedValue().logGrew(to: pages)
        return SQLITE_OK
      }, context)
  }

  /// Keeps the log short. A checkpoint that fails costs no commit, and is made up for by the next.
  ///
  /// SQLite begins the log anew only at a moment when nobody reads in it. While others read all the
  /// time, one after the other, that moment never comes by itself: the commit then waits until all
  /// who read now are done, for those who begin find everything in the database already. One that
  /// reads without end isn't waited for: the log grows until it is done.
  private func logGrew(to pages: CInt) {
    if pages < checkpointPages { return restartPages = Self.restartPages }
    guard pages >= restartPages else {
      unsafe sqlite3_wal_checkpoint_v2(raw, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
      return
    }
    let status = unsafe sqlite3_wal_checkpoint_v2(raw, nil, SQLITE_CHECKPOINT_RESTART, nil, nil)
    // Each attempt may take all of the busy timeout.
    restartPages = status == SQLITE_OK ? Self.restartPages : pages + Self.restartPages
  }

  /// Moves what it can of the write-ahead log into the database. The log keeps its length.
  /// That some other process is reading isn't an error; then less is moved.
  func checkpoint() throws(SQLiteError) {
    let status = unsafe sqlite3_wal_checkpoint_v2(raw, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    guard ResultCode(rawValue: status).primary != .busy else { return }
    guard status == SQLITE_OK else { throw error(status) }
  }
}
