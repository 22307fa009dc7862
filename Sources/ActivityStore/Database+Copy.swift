internal import CSQLite

/// A database that is copied over another, some pages at a time.
///
/// What the source's own connection commits between two steps is carried into the pages that are
/// copied already, so the copy becomes what the source is at the last step. (Had another connection
/// written, SQLite would begin anew.)
@safe final class DatabaseCopy {
  private let raw: OpaquePointer
  // Both are used for as long as the copy isn't finished.
  private let source: Database
  private let destination: Database
  private var isFinished = false

  /// Begins to copy over the file at `path`, which must exist. Nothing of it is synced: whoever
  /// wants it durable does that.
  init(of source: Database, to path: String) throws(SQLiteError) {
    self.source = source
    destination = try Database(path: path)
    // The file is of no use before it is whole: nothing need be kept for going back.
    try destination.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    guard let backup = unsafe sqlite3_backup_init(destination.raw, "main", source.raw, "main")
    else { throw destination.error() }
    unsafe raw = backup
  }

  deinit { if !isFinished { unsafe sqlite3_backup_finish(raw) } }

  /// Copies up to so many pages; true when it was the last of them.
  func step(pages: CInt) throws(SQLiteError) -> Bool {
    let status = ResultCode(rawValue: unsafe sqlite3_backup_step(raw, pages))
    guard status != .ok else { return false }
    isFinished = true
    let finished = unsafe sqlite3_backup_finish(raw)
    guard status == .done, finished == SQLITE_OK else { throw destination.error() }
    return true
  }
}

extension Database {
  /// Copies the database, as it is now, over the file at `destination`, which must exist. Nothing
  /// of it is synced.
  func copy(to destination: String) throws(SQLiteError) {
    let copy = try DatabaseCopy(of: self, to: destination)
    while try !copy.step(pages: -1) {}
  }

  /// Says in a copy of a store that it is one.
  func markAsCopy() throws(SQLiteError) { try execute("UPDATE store SET is_copy = 1") }

  /// Whether it is a copy of which no store has been opened yet.
  func isCopy() throws(SQLiteError) -> Bool { try integer("SELECT is_copy FROM store") != 0 }
}
