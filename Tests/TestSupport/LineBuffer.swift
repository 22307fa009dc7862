/// Bytes that have come, cut into lines.
package struct LineBuffer {
  private var bytes: [UInt8] = []

  package init() {}

  /// What has come of a line that has no end yet, or of all lines.
  package var isEmpty: Bool { bytes.isEmpty }

  package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Takes the first line out, without its newline.
  package mutating func nextLine() -> String? {
    guard let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { bytes.removeSubrange(...newline) }
    return String(decoding: bytes[..<newline], as: UTF8.self)
  }

  /// Takes everything out that is left.
  package mutating func rest() -> String {
    defer { bytes = [] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
