internal import CSQLite

extension Database {
  /// Opens a file that nobody uses to read it. Nothing is written: neither the file, nor its
  /// write-ahead log, which may hold what a crash left there, nor anything beside them.
  convenience init(restingAt path: String) throws(SQLiteError) {
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    if try PrivateFile.length(path + "-wal") ?? 0 == 0 {
      // Without a log SQLite would make one, unless the file can't change.
      try self.init(
        path: path, name: Self.unchangingURI(path), flags: flags | SQLITE_OPEN_URI, system: nil)
    } else {
      // Without locks, and in exclusive mode, the index of the log is kept in memory; and nothing
      // is moved from it into the database in the end.
      try self.init(path: path, name: path, flags: flags, system: "unix-none")
      try setFlag(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
      try execute("PRAGMA locking_mode = EXCLUSIVE")
    }
    try execute("PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY")
  }

  private static func unchangingURI(_ path: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var uri: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"):
        uri += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xf)]]
      default: uri.append(byte)
      }
    }
    return "file:\(String(decoding: uri, as: UTF8.self))?immutable=1"
  }
}
