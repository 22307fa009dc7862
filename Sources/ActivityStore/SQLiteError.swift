import ActivityCore
internal import CSQLite

/// A result code of SQLite, open to codes that this file doesn't name.
struct ResultCode: RawRepresentable, Hashable, Sendable {
  let rawValue: CInt

  init(rawValue: CInt) { self.rawValue = rawValue }

  /// The code without its extension: `SQLITE_IOERR` of `SQLITE_IOERR_FSYNC`.
  var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

  static let ok = ResultCode(rawValue: SQLITE_OK)
  static let row = ResultCode(rawValue: SQLITE_ROW)
  static let done = ResultCode(rawValue: SQLITE_DONE)
  static let permission = ResultCode(rawValue: SQLITE_PERM)
  static let busy = ResultCode(rawValue: SQLITE_BUSY)
  static let locked = ResultCode(rawValue: SQLITE_LOCKED)
  static let noMemory = ResultCode(rawValue: SQLITE_NOMEM)
  static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  static let ioError = ResultCode(rawValue: SQLITE_IOERR)
  static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  static let full = ResultCode(rawValue: SQLITE_FULL)
  static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  static let lockProtocol = ResultCode(rawValue: SQLITE_PROTOCOL)
  static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
  /// SQLITE_IOERR_SHMSIZE, which Swift doesn't import.
  static let noRoomForIndex = ResultCode(rawValue: SQLITE_IOERR | 19 << 8)
  static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)

  /// Codes of a state of the machine that may pass. All others stand for a damaged file or a
  /// statement that doesn't fit it: no retry cures those.
  private static let passing: Set<ResultCode> = [
    .permission, .busy, .locked, .noMemory, .readOnly, .ioError, .full, .cannotOpen, .lockProtocol,
  ]

  var mayPass: Bool { Self.passing.contains(primary) }

  var meansDamage: Bool { primary == .corrupt || primary == .notADatabase }
}

/// A call of SQLite failed, or the file doesn't hold what it should.
struct SQLiteError: Error, Equatable, Sendable {
  let code: ResultCode
  /// What went wrong; never holds values of rows or parameters.
  let message: String

  init(_ code: ResultCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// What a call of SQLite returned, in SQLite's words.
  init(status: CInt, _ words: String) {
    self.init(ResultCode(rawValue: status), "\(words) (SQLite code \(status))")
  }

  /// The error as callers of the store know it.
  func storeError(path: String) -> StoreError {
    if code.mayPass { return StoreError(.unavailable, "\(path): \(message)") }
    guard code.meansDamage else { return StoreError(.unusable, "\(path): \(message)") }
    return StoreError(
      .unusable,
      "\(path): \(message). The file was left as it is: restore a backup, or move it and its -wal "
        + "away to begin with an empty store.")
  }
}
