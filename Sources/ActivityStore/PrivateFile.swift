import Glibc

/// Files that only their owner may read: what SQLite leaves to us.
enum PrivateFile {
  static func exists(_ path: String) throws(SQLiteError) -> Bool {
    if unsafe access(path, F_OK) == 0 { return true }
    guard errno == ENOENT else { throw failure("can't be looked at") }
    return false
  }

  /// Makes an empty file, which must not exist. SQLite gives the files beside it the same mode.
  static func create(_ path: String) throws(SQLiteError) {
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("can't be made") }
    close(descriptor)
  }

  /// Renames a file and makes the new name durable.
  static func rename(_ path: String, to destination: String) throws(SQLiteError) {
    guard unsafe Glibc.rename(path, destination) == 0 else { throw failure("can't be renamed") }
    let slash = destination.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(destination[...$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("can't be made durable") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("can't be made durable") }
  }

  /// It is no error if there is none.
  static func remove(_ path: String) throws(SQLiteError) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw failure("can't be removed") }
  }

  private static func failure(_ what: String) -> SQLiteError {
    SQLiteError(.cannotOpen, "\(what): \(unsafe String(cString: strerror(errno)))")
  }
}
