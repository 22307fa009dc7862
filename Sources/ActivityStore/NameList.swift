/// A list of names as a JSON array of strings, so that SQL can take it apart (`json_each`).
///
/// It reads what it writes; that is all the columns ever hold.
enum NameList {
  static func text(_ names: [String]) -> String {
    if names.isEmpty { return "[]" }
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for name in names {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "\""))
      for byte in name.utf8 { append(byte, to: &bytes) }
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: "]"))
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0..<0x20:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "\\u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    default:
      bytes.append(byte)
    }
  }

  /// nil if it isn't such an array.
  static func names(_ text: [UInt8]) -> [String]? {
    if text == [UInt8(ascii: "["), UInt8(ascii: "]")] { return [] }
    guard text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") else { return nil }
    var names: [String] = []
    var position = 1
    while position < text.count {
      guard let name = string(text, &position), position < text.count else { return nil }
      names.append(name)
      let separator = text[position]
      position += 1
      if separator == UInt8(ascii: "]") { return position == text.count ? names : nil }
      guard separator == UInt8(ascii: ",") else { return nil }
    }
    return nil
  }

  /// The string that begins at `position`, which then is behind it.
  private static func string(_ text: [UInt8], _ position: inout Int) -> String? {
    guard text[position] == UInt8(ascii: "\"") else { return nil }
    position += 1
    var bytes: [UInt8] = []
    while position < text.count {
      let byte = text[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard let escaped = escaped(text, &position) else { return nil }
      bytes.append(escaped)
    }
    return nil
  }

  private static func escaped(_ text: [UInt8], _ position: inout Int) -> UInt8? {
    guard position < text.count else { return nil }
    let byte = text[position]
    position += 1
    guard byte == UInt8(ascii: "u") else { return byte }
    guard position + 4 <= text.count else { return nil }
    let digits = text[position..<position + 4]
    position += 4
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
