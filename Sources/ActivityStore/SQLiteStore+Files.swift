package import ActivityCore

// Making and copying the file.
extension SQLiteStore {
  /// Builds a new store under another name and renames it, so that it appears whole.
  static func createIfMissing(path: String, schema: Schema) throws(SQLiteError) {
    guard try !PrivateFile.exists(path) else { return }
    // Its log would be taken for the new file's, and played back into it.
    guard try !PrivateFile.exists(path + "-wal") else {
      throw SQLiteError(.corrupt, "the file is missing, but its -wal is there")
    }
    let unfinished = path + ".new"
    for leftover in [unfinished, unfinished + "-journal"] { try PrivateFile.remove(leftover) }
    try PrivateFile.create(unfinished)
    try schema.create(in: Database(path: unfinished))
    try PrivateFile.rename(unfinished, to: path)
  }

  /// Copies the file before it is migrated. A copy that is there is of a migration that failed:
  /// the file is still as it was then, or newer.
  static func putAside(_ database: Database, as destination: String) throws(SQLiteError) {
    try PrivateFile.remove(destination)
    try PrivateFile.create(destination)
    do throws(SQLiteError) {
      try database.copy(to: destination)
      try Database(path: destination).markAsCopy()
      try PrivateFile.sync(destination)
    } catch {
      // The copy is of no use; why is what counts.
      try? PrivateFile.remove(destination)
      throw error
    }
  }
}

// Upkeep.
extension SQLiteStore {
  /// Pages that one call gives back to the file system at most.
  private static let vacuumPagesMax = 1_024

  /// To be called when nothing has been committed for a while: gives back some of the pages that
  /// have long been free, and moves what the write-ahead log holds into the database.
  package func checkpointWhenIdle() throws(StoreError) {
    do throws(SQLiteError) {
      // Fewer free ones are soon used again.
      let free = try database.integer("PRAGMA freelist_count")
      if try free > database.integer("PRAGMA page_count") / 4 {
        try database.execute("PRAGMA incremental_vacuum(\(Self.vacuumPagesMax))")
      }
      try database.checkpoint()
    } catch { throw error.storeError(path: path) }
  }
}
