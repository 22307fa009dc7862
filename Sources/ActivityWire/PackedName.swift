/// A short name as three words: each line has several to compare.
struct PackedName: Equatable {
  static let bytesMax = 24
  private var length: Int
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0

  /// Nil if it has more than `bytesMax` bytes.
  init?(_ name: RawSpan) {
    guard name.byteCount <= Self.bytesMax else { return nil }
    length = name.byteCount
    first = Self.word(of: name, at: 0)
    second = Self.word(of: name, at: 8)
    third = Self.word(of: name, at: 16)
  }

  /// - Parameter name: of `bytesMax` bytes at most.
  init(_ name: String) {
    self.init(unsafe name.utf8Span.span.bytes)!
  }

  private static func word(of name: RawSpan, at start: Int) -> UInt64 {
    var word: UInt64 = 0
    var offset = start
    while offset < min(start + 8, name.byteCount) {
      word = word << 8 | UInt64(name[offset])
      offset += 1
    }
    return word
  }
}
