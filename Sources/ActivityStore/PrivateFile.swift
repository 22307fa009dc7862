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

  /// Makes a folder for its owner, unless it is there.
  static func createFolder(_ path: String) throws(SQLiteError) {
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("can't be made") }
  }

  /// Renames a file, over another if there is one, and makes the new name durable.
  static func rename(_ path: String, to destination: String) throws(SQLiteError) {
    guard unsafe Glibc.rename(path, destination) == 0 else { throw failure("can't be renamed") }
    try syncFolder(of: destination)
  }

  /// Gives a file its name, which must be free, and makes that durable.
  static func place(_ path: String, at destination: String) throws(SQLiteError) {
    guard unsafe link(path, destination) == 0 else {
      throw errno == EEXIST ? .exists : failure("can't be made")
    }
    try remove(path)
    try syncFolder(of: destination)
  }

  /// Waits until all that was written to a file is on disk; answers its length in bytes.
  @discardableResult
  static func sync(_ path: String) throws(SQLiteError) -> Int64 {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("can't be made durable") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("can't be made durable") }
    return Int64(lseek(descriptor, 0, SEEK_END))
  }

  /// In bytes; nil if there is no such file.
  static func length(_ path: String) throws(SQLiteError) -> Int64? {
    var status = stat()
    if unsafe stat(path, &status) == 0 { return Int64(status.st_size) }
    guard errno == ENOENT else { throw failure("can't be looked at") }
    return nil
  }

  private static func syncFolder(of path: String) throws(SQLiteError) {
    try sync(folder(of: path))
  }

  /// The folder in which a file is, with a slash at its end.
  static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "./"
  }

  /// It is no error if there is none.
  static func remove(_ path: String) throws(SQLiteError) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw failure("can't be removed") }
  }

  private static func failure(_ what: String) -> SQLiteError {
    SQLiteError(.cannotOpen, "\(what): \(unsafe String(cString: strerror(errno)))")
  }
}

extension SQLiteError {
  /// A file that must not be there is.
  static let exists = SQLiteError(.cannotOpen, "there is such a file already")
}
