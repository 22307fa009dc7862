internal import CSQLite

/// A prepared statement. Parameters and columns count from 1.
///
/// It is prepared once and used again and again, on the store's thread. Reset it after each use:
/// one left open holds its read snapshot, and a checkpoint can't pass that.
@safe struct Statement: ~Copyable {
  private let raw: OpaquePointer

  init(_ sql: String, in database: Database) throws(SQLiteError) {
    unsafe raw = try database.prepare(sql)
  }

  // The code finalize returns is that of the last step, reported then.
  deinit { unsafe sqlite3_finalize(raw) }

  /// Goes to the next row; false when there is none.
  borrowing func step() throws(SQLiteError) -> Bool {
    let code = ResultCode(rawValue: unsafe sqlite3_step(raw))
    switch code {
    case .row: return true
    case .done: return false
    default: throw error()
    }
  }

  /// Runs a statement that has no rows, and resets it.
  borrowing func run() throws(SQLiteError) {
    defer { reset() }
    while try step() {}
  }

  /// Makes it ready to be used again. The parameters keep their values.
  borrowing func reset() {
    // The code is that of the last step, reported then.
    unsafe sqlite3_reset(raw)
  }

  /// Makes all parameters NULL.
  borrowing func clear() {
    // Its code is always that of success.
    unsafe sqlite3_clear_bindings(raw)
  }

  private borrowing func error() -> SQLiteError {
    let handle = unsafe sqlite3_db_handle(raw)
    return unsafe SQLiteError(
      status: sqlite3_extended_errcode(handle), String(cString: sqlite3_errmsg(handle)))
  }

  private borrowing func check(_ status: CInt) throws(SQLiteError) {
    guard status == SQLITE_OK else { throw error() }
  }
}

// Parameters. Texts and blobs are copied by SQLite.
extension Statement {
  borrowing func bind(_ value: Int64?, at index: CInt) throws(SQLiteError) {
    guard let value else { return try bindNull(at: index) }
    try check(unsafe sqlite3_bind_int64(raw, index, value))
  }

  borrowing func bind(_ value: Double, at index: CInt) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_double(raw, index, value))
  }

  borrowing func bind(_ text: String?, at index: CInt) throws(SQLiteError) {
    guard let text else { return try bindNull(at: index) }
    try bind(utf8: text.utf8Span.span, at: index)
  }

  /// Binds UTF-8 as text.
  borrowing func bind(utf8 bytes: [UInt8], at index: CInt) throws(SQLiteError) {
    try bind(utf8: bytes.span, at: index)
  }

  borrowing func bind(blob bytes: [UInt8], at index: CInt) throws(SQLiteError) {
    try check(
      unsafe bytes.withUnsafeBytes { buffer in
        unsafe csqlite_bind_blob(raw, index, buffer.baseAddress, CInt(buffer.count))
      })
  }

  private borrowing func bind(utf8 bytes: Span<UInt8>, at index: CInt) throws(SQLiteError) {
    // An empty span may have no address, and text without an address is NULL.
    if bytes.isEmpty { return try check(unsafe csqlite_bind_text(raw, index, "", 0)) }
    try check(
      unsafe bytes.withUnsafeBytes { buffer in
        unsafe csqlite_bind_text(
          raw, index, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(buffer.count))
      })
  }

  private borrowing func bindNull(at index: CInt) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_null(raw, index))
  }
}

// Columns of the present row.
extension Statement {
  borrowing func isNull(at index: CInt) -> Bool {
    unsafe sqlite3_column_type(raw, index - 1) == SQLITE_NULL
  }

  /// 0 for NULL.
  borrowing func integer(at index: CInt) -> Int64 {
    unsafe sqlite3_column_int64(raw, index - 1)
  }

  borrowing func integerIfAny(at index: CInt) -> Int64? {
    isNull(at: index) ? nil : integer(at: index)
  }

  borrowing func double(at index: CInt) -> Double {
    unsafe sqlite3_column_double(raw, index - 1)
  }

  /// Empty for NULL.
  borrowing func text(at index: CInt) -> String {
    unsafe String(decoding: utf8Buffer(at: index), as: UTF8.self)
  }

  borrowing func textIfAny(at index: CInt) -> String? {
    isNull(at: index) ? nil : text(at: index)
  }

  /// A text's bytes; empty for NULL.
  borrowing func utf8(at index: CInt) -> [UInt8] {
    unsafe Array(utf8Buffer(at: index))
  }

  borrowing func blob(at index: CInt) -> [UInt8] {
    let bytes = unsafe sqlite3_column_blob(raw, index - 1)
    let count = unsafe Int(sqlite3_column_bytes(raw, index - 1))
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Valid until the next step or reset.
  private borrowing func utf8Buffer(at index: CInt) -> UnsafeBufferPointer<UInt8> {
    let bytes = unsafe sqlite3_column_text(raw, index - 1)
    // Asked after the text: that call may convert, and change the count.
    let count = unsafe Int(sqlite3_column_bytes(raw, index - 1))
    return unsafe UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
  }
}
