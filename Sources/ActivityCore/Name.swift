/// A name by which something is found: of an activity, a channel, a type, a device, a key.
///
/// Two names are the same if their bytes are. Swift's strings are equal already if they look the
/// same ("é" in one scalar or in two), but neither the store nor any client holds them for equal.
package struct Name: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: Name, right: Name) -> Bool {
    left.text.withBytes { bytes in right.text.withBytes { bytes.isEqual(to: $0) } }
  }

  package func hash(into hasher: inout Hasher) {
    text.withBytes { unsafe $0.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
  }
}

extension Name: Comparable {
  /// In the order of their bytes.
  package static func < (left: Name, right: Name) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}

extension Name: CustomStringConvertible {
  package var description: String { text }
}

extension Name: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.text = text }
}

extension String {
  /// Lends the UTF-8. (`utf8Span` does so at several times the cost, and names are many.)
  @inline(__always)
  func withBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
    let result = unsafe utf8.withContiguousStorageIfAvailable {
      unsafe body(UnsafeRawBufferPointer($0).bytes)
    }
    guard let result else { preconditionFailure("all strings are contiguous here") }
    return result
  }
}

extension RawSpan {
  /// Whether the bytes are the same, looking at eight at a time.
  package func isEqual(to other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    var offset = 0
    // The loops' conditions leave as many bytes to read, in both.
    while offset &+ 8 <= byteCount {
      guard unsafe load(at: offset, as: UInt64.self) == other.load(at: offset, as: UInt64.self)
      else { return false }
      offset &+= 8
    }
    while offset < byteCount {
      guard unsafe load(at: offset, as: UInt8.self) == other.load(at: offset, as: UInt8.self)
      else { return false }
      offset &+= 1
    }
    return true
  }

  @unsafe private func load<Word: BitwiseCopyable>(at offset: Int, as type: Word.Type) -> Word {
    unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: type)
  }
}

extension Set<Name> {
  package init(texts: [String]) { self.init(texts.map { Name($0) }) }
}
