internal import CSimdjson

/// Reads lines of JSON: judges every value in them, and delivers the members of the outermost
/// object with their bytes untouched.
///
/// A member's bytes belong to the scanner and are valid until the next line is scanned. Members
/// are numbered in the order in which they were delivered; `members(of:)` adds those of a nested
/// value behind them, so that what was read before stays valid. In the long run no line allocates
/// memory. One scanner serves all connections of a loop; it is not for use by several threads.
@safe package final class JSONScanner {
  /// What a value is.
  package enum Kind: UInt8 {
    case null, `false`, `true`, number, string, array, object
  }

  /// Bytes that the scanner holds.
  package struct Bytes {
    fileprivate let range: json_range
    /// How many there are.
    package var count: Int { Int(range.length) }
  }

  /// A member of an object or an element of an array.
  package struct Member {
    package let kind: Kind
    /// The key, unescaped. Empty for an element of an array.
    package let key: Bytes
    /// The value as it was sent, less white space between tokens.
    package let value: Bytes
    /// The content of a string, unescaped. Empty for any other value.
    package let text: Bytes
  }

  /// Why a line was refused.
  package struct Failure: Error, Equatable {
    /// What is wrong.
    package enum Reason: UInt32 {
      case malformed = 1
      case notUTF8
      /// A string holds a control character that isn't escaped.
      case controlCharacter
      /// The line is something else.
      case notAnObject
      case tooDeep
      /// The line ends inside of a value.
      case unclosed
    }
    package let reason: Reason
    /// Where, in bytes from the start of the line: 0 for `notUTF8` and `controlCharacter`.
    package let offset: Int
  }

  // Owned: made in `init`, freed in `deinit`, never handed out.
  private let parser: OpaquePointer

  /// - Parameter depthMax: how deep arrays and objects may be nested; the outermost has depth 1.
  package init(depthMax: Int) {
    unsafe parser = json_parser_create(UInt32(depthMax))
  }

  deinit { unsafe json_parser_destroy(parser) }

  /// Scans a line that must be one object, and gives the numbers of its members.
  /// All members scanned before are forgotten, also if this throws.
  package func scan(_ line: RawSpan) throws(Failure) -> Range<Int> {
    precondition(line.byteCount < 1 << 28, "a line that no limit allows")
    let result = unsafe line.withUnsafeBytes { bytes in
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return unsafe json_parser_scan_line(parser, start, UInt32(bytes.count))
    }
    return try members(of: result)
  }

  /// Reads on in a member that is an array or object, and gives the numbers of its members.
  package func members(of index: Int) throws(Failure) -> Range<Int> {
    try members(of: unsafe json_parser_scan_member(parser, UInt32(index)))
  }

  private func members(of scan: json_scan) throws(Failure) -> Range<Int> {
    if let reason = Failure.Reason(rawValue: scan.status) {
      throw Failure(reason: reason, offset: Int(scan.failure_offset))
    }
    return Int(scan.first)..<Int(scan.first + scan.count)
  }

  /// The member of this number.
  package subscript(index: Int) -> Member {
    guard let member = unsafe json_parser_member(parser, UInt32(index))?.pointee,
      let kind = Kind(rawValue: member.kind)
    else { preconditionFailure("no such member") }
    return Member(
      kind: kind, key: Bytes(range: member.key), value: Bytes(range: member.value),
      text: Bytes(range: member.text))
  }

  /// Lends the bytes for the duration of `body`, which must not scan.
  package func withBytes<Result, Failure>(
    _ bytes: Bytes, _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = unsafe json_parser_bytes(parser) + Int(bytes.range.offset)
    let buffer = unsafe UnsafeRawBufferPointer(start: start, count: bytes.count)
    return try unsafe body(buffer.bytes)
  }

  /// A copy of the bytes.
  package func copy(_ bytes: Bytes) -> [UInt8] {
    withBytes(bytes) { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
  }

  /// The bytes as a string; they are UTF-8, which the scan has checked.
  package func string(_ bytes: Bytes) -> String {
    withBytes(bytes) { span in
      unsafe span.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }
}
