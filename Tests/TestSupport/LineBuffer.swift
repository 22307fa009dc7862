internal import Glibc

/// Bytes that have come, cut into lines.
package struct LineBuffer {
  private var bytes: [UInt8] = []
  /// What comes before it has been taken out.
  private var start = 0
  /// Between `start` and it there is no newline.
  private var searched = 0

  package init() {}

  /// Whether nothing is left, not even a piece of a line.
  package var isEmpty: Bool { start == bytes.count }

  package mutating func append(_ more: some Sequence<UInt8>) {
    // Taken out now and then, not with each line: that would move all that follows it.
    bytes.removeSubrange(..<start)
    searched -= start
    start = 0
    bytes.append(contentsOf: more)
  }

  /// Takes the first line out, without its newline.
  package mutating func nextLine() -> String? {
    guard let newline = nextNewline() else {
      searched = bytes.count
      return nil
    }
    defer {
      start = newline + 1
      searched = start
    }
    return String(decoding: bytes[start..<newline], as: UTF8.self)
  }

  private func nextNewline() -> Int? {
    unsafe bytes.withUnsafeBytes { bytes in
      guard searched < bytes.count, let base = bytes.baseAddress else { return nil }
      let found = unsafe memchr(base + searched, CInt(UInt8(ascii: "\n")), bytes.count - searched)
      return unsafe found.map { unsafe UnsafeRawPointer($0) - base }
    }
  }
}
