package import ActivityCore
import Glibc

/// A backup of a store in the making: a piece at a time, while the store is used between the
/// pieces, on the store's thread.
///
/// The file is built under another name, and appears whole and durable or not at all. It is marked
/// as a copy: a store that is opened from it begins a new epoch.
package final class StoreCopy {
  /// 1 MiB: between two pieces a commit waits no longer than it takes to write and sync that.
  private static let pagesAPiece: CInt = 256

  private let unfinished: String
  /// Where it is to be; nil: in `folder`, named for epoch and seq.
  private let path: String?
  private let folder: String
  private var copy: DatabaseCopy?

  /// Begins a copy of `store`.
  ///
  /// - Parameter path: of a file that doesn't exist; if it isn't absolute, in the folder `backups`
  ///   beside the store, which is made. Nil: there, under a name of its own.
  package init(of store: SQLiteStore, to path: String?) throws(BackupError) {
    let isElsewhere = path?.utf8.first == UInt8(ascii: "/")
    let backups = PrivateFile.folder(of: store.path) + "backups/"
    self.path = path.map { isElsewhere ? $0 : backups + $0 }
    folder = self.path.map { PrivateFile.folder(of: $0) } ?? backups
    // One of the same store that was interrupted is written over.
    unfinished = folder + ".activityd-\(store.identity.epoch).part"
    do throws(SQLiteError) {
      if !isElsewhere { try PrivateFile.createFolder(backups) }
      if let path = self.path, try PrivateFile.exists(path) { throw .exists }
      try PrivateFile.remove(unfinished)
      try PrivateFile.create(unfinished)
    } catch {
      throw BackupError(.place, "\(self.path ?? folder): \(error.message)")
    }
    do throws(SQLiteError) {
      copy = try DatabaseCopy(of: store.database, to: unfinished)
    } catch {
      throw failure(error)
    }
  }

  deinit {
    copy = nil
    // Only if it didn't come to its end.
    try? PrivateFile.remove(unfinished)
  }

  /// Copies some more. After a throw this object is of no further use.
  ///
  /// - Returns: what was made, if it is whole; else it goes on.
  package func advance() throws(BackupError) -> Backup? {
    do throws(SQLiteError) {
      let isWhole = try copy?.step(pages: Self.pagesAPiece) ?? true
      guard isWhole else {
        // So the last piece doesn't have to wait for all of them.
        try PrivateFile.sync(unfinished)
        return nil
      }
      copy = nil
      return try finish()
    } catch {
      throw failure(error)
    }
  }

  private func finish() throws(SQLiteError) -> Backup {
    let identity = try mark()
    let bytes = try PrivateFile.sync(unfinished)
    let path = path ?? folder + "activityd-\(identity.epoch)-\(identity.lastSeq).db"
    try PrivateFile.place(unfinished, at: path)
    return Backup(path: path, bytes: bytes, seq: identity.lastSeq)
  }

  /// Says in the copy that it is one.
  private func mark() throws(SQLiteError) -> StoreIdentity {
    let database = try Database(path: unfinished)
    try database.markAsCopy()
    return try SQLiteStore.readIdentity(database)
  }

  private func failure(_ error: SQLiteError) -> BackupError {
    BackupError(error == .exists ? .place : .failed, "\(path ?? folder): \(error.message)")
  }
}
