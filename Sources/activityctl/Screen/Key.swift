/// A key that was pressed.
enum Key: Hashable {
  case up, down, enter, escape, backspace, interrupt, suspend, redraw
  case character(Character)
}

/// Makes keys of what a terminal sends for them.
struct KeyReader {
  private var pending: [UInt8] = []

  /// The keys in what came at once, an escape sequence being whole.
  mutating func keys(in bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var rest = (pending + bytes)[...]
    pending = []
    while let byte = rest.first {
      if byte == 0x1b {
        keys.append(Self.sequence(&rest))
      } else if let key = Self.control(byte) {
        rest.removeFirst()
        keys.append(key)
      } else if let text = Self.character(&rest) {
        keys.append(.character(text))
      } else {
        // The beginning of a character.
        pending = Array(rest)
        break
      }
    }
    return keys
  }

  private static func control(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x0a, 0x0d: .enter
    case 0x08, 0x7f: .backspace
    case 0x03: .interrupt
    case 0x1a: .suspend
    case 0x0c: .redraw
    case 0..<0x20: .escape
    default: nil
    }
  }

  /// `ESC [ A` and `ESC O A` are arrows; an `ESC` alone is a key, other sequences count as one.
  private static func sequence(_ rest: inout ArraySlice<UInt8>) -> Key {
    rest.removeFirst()
    guard let introducer = rest.first, [UInt8(ascii: "["), UInt8(ascii: "O")].contains(introducer)
    else { return .escape }
    rest.removeFirst()
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "A"): return .up
      case UInt8(ascii: "B"): return .down
      case 0x40...0x7e: return .escape
      default: continue
      }
    }
    return .escape
  }

  /// Takes a character of UTF-8 out; nil if its end hasn't come.
  private static func character(_ rest: inout ArraySlice<UInt8>) -> Character? {
    let first = rest[rest.startIndex]
    let count = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return String(decoding: rest.prefix(count), as: UTF8.self).first
  }
}
