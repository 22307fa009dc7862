import TestSupport

/// What a client sends, from the line of a transcript that says so.
enum ClientLine {
  /// The bytes to be sent: escapes of raw ones undone, `$WORD`, `$xN` and `$[N` filled in.
  static func bytes(
    of text: String, isRaw: Bool, saved: [String: String]
  ) throws -> [UInt8] {
    let filled = try fill(text, saved: saved)
    return isRaw ? try unescape(filled) : Array(filled.utf8) + [UInt8(ascii: "\n")]
  }

  private static func fill(_ text: String, saved: [String: String]) throws -> String {
    var filled = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      filled += rest[..<dollar]
      rest = rest[rest.index(after: dollar)...]
      if let first = rest.first, first == "x" || first == "[",
        let count = Int(rest.dropFirst().prefix { $0.isNumber })
      {
        filled += String(repeating: first, count: count)
        rest = rest.dropFirst().drop { $0.isNumber }
      } else if rest.first?.isUppercase ?? false {
        let word = rest.prefix { $0.isUppercase || $0.isNumber }
        guard let value = saved[String(word)] else {
          throw TestFailure("nothing was saved under \(word)")
        }
        filled += value
        rest = rest.dropFirst(word.count)
      } else {
        filled += "$"
      }
    }
    return filled + rest
  }

  private static func unescape(_ text: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "r"): bytes.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "t"): bytes.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "x"):
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        guard let value = UInt8(digits, radix: 16) else { throw TestFailure("not hex: \(digits)") }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: throw TestFailure("no such escape in \(text)")
      }
    }
    return bytes
  }
}

/// When the clock of all transcripts begins, in seconds since 1970.
let transcriptOrigin: Int64 = 1_800_000_000

/// The same text with all times moved: the numbers from 1800000000 to 1900000000.
func shiftingTimes(in text: [UInt8], by seconds: Int64) -> [UInt8] {
  guard seconds != 0 else { return text }
  var shifted: [UInt8] = []
  var rest = text[...]
  while let first = rest.first {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let number = digits.count == 10 ? Int64(String(decoding: digits, as: UTF8.self)) : nil
    if let number, (transcriptOrigin...transcriptOrigin + 100_000_000).contains(number) {
      shifted += Array(String(number + seconds).utf8)
    } else if digits.isEmpty {
      shifted.append(first)
    } else {
      shifted += digits
    }
    rest = rest.dropFirst(max(digits.count, 1))
  }
  return shifted
}
