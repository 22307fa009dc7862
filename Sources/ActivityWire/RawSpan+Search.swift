internal import ActivityCore
internal import Glibc

extension RawSpan {
  /// The byte at this offset, which is checked.
  package subscript(offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < byteCount, "offset outside of the bytes")
    // The offset was just checked, and a byte has no alignment.
    return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// The offset of the first such byte at or after `start`.
  func firstOffset(of byte: UInt8, from start: Int) -> Int? {
    precondition(start >= 0 && start <= byteCount, "offset outside of the bytes")
    return unsafe withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress else { return nil }
      let found = unsafe memchr(base + start, CInt(byte), bytes.count - start)
      return unsafe found.map { unsafe UnsafeRawPointer($0) - base }
    }
  }

  /// These offsets less a `\r` at their end.
  func withoutCarriageReturn(_ line: Range<Int>) -> Range<Int> {
    let hasOne = !line.isEmpty && self[line.upperBound - 1] == UInt8(ascii: "\r")
    return hasOne ? line.dropLast() : line
  }

  /// Whether this line, the first of a connection, is that of a web browser's request.
  package var endsInHTTPVersion: Bool {
    let version = " HTTP/1."
    let start = byteCount - version.utf8.count - 1
    return start >= 0 && extracting(start..<byteCount - 1).isEqual(to: version)
      && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[byteCount - 1])
  }

  /// Whether the bytes are those of this text.
  func isEqual(to text: String) -> Bool {
    var text = text
    return text.withUTF8 { isEqual(to: unsafe UnsafeRawBufferPointer($0).bytes) }
  }

  /// So many bytes from the beginning, eight at a time, are printable ASCII.
  private var plainPrefix: Int {
    var offset = 0
    while offset &+ 8 <= byteCount {
      // The loop's condition leaves eight bytes to read.
      let word = unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      // The high bit of a byte shows one that isn't: above 0x7f, 0x7f, or below 0x20. (A borrow may
      // make it show one too many.)
      let others = word | (word &+ 0x0101_0101_0101_0101) | (word &- 0x2020_2020_2020_2020)
      guard others & 0x8080_8080_8080_8080 == 0 else { break }
      offset &+= 8
    }
    return offset
  }

  /// Whether there is a control character of Unicode (U+0000–1F, U+007F–9F) in this UTF-8.
  var holdsControlCharacters: Bool {
    for offset in plainPrefix..<byteCount {
      let byte = self[offset]
      if byte < 0x20 || byte == 0x7f { return true }
      if byte == 0xc2, self[offset + 1] < 0xa0 { return true }
    }
    return false
  }
}

extension UInt8 {
  /// Whether this is white space within a line.
  var isBlank: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
  }
}

extension [UInt8] {
  /// Appends these bytes of a span.
  package mutating func append(_ range: Range<Int>, of bytes: RawSpan) {
    unsafe bytes.extracting(range).withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}
