internal import ActivityClient
internal import CTerminfo
internal import Glibc

/// Text on a terminal: what it may hold, and how many columns it takes.
enum TerminalText {
  /// The text without anything that a terminal would obey: control characters are shown as signs,
  /// what orders text from right to left is left out, line breaks and tabs are blanks.
  static func safe(_ text: some StringProtocol) -> String {
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0a, 0x0d: safe.append(" ")
      case 0..<0x20: safe.append(Unicode.Scalar(0x2400 + scalar.value)!)
      case 0x7f: safe.append("␡")
      case 0x80...0x9f, 0xfff9...0xfffb: safe.append("\u{fffd}")
      case 0x2028, 0x2029: safe.append(" ")
      // They join emoji, and choose between their forms.
      case 0x200d, 0xfe00...0xfe0f, 0xe0020...0xe007f: safe.append(scalar)
      default:
        if scalar.properties.generalCategory != .format { safe.append(scalar) }
      }
    }
    return String(safe)
  }

  /// The object as a line of JSON, in which what a terminal would obey and JSON allows is escaped.
  static func json(_ object: JSONObject) -> String {
    var text = String.UnicodeScalarView()
    for scalar in object.text.unicodeScalars {
      if (0x7f...0x9f).contains(scalar.value) {
        text += "\\u00\(String(scalar.value, radix: 16))".unicodeScalars
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// The columns that a text takes which is safe.
  static func width(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width($1) } }

  /// The columns of what is seen as one character: 0, 1 or 2, rarely more.
  static func width(_ character: Character) -> Int {
    if character.isASCII { return 1 }
    let scalars = character.unicodeScalars
    if isEmoji(character) { return 2 }
    return scalars.reduce(0) { $0 + width($1) }
  }

  /// Whether terminals disagree on its width: on some, joined emoji are one sign, on others
  /// several.
  static func isUncertain(_ character: Character) -> Bool {
    !character.isASCII && (character.unicodeScalars.count > 1 || isEmoji(character))
  }

  private static func isEmoji(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return false }
    if first.properties.isEmojiPresentation { return true }
    return first.properties.isEmoji && scalars.count > 1
      && scalars.contains { $0.value == 0xfe0f || $0.value == 0x20e3 || $0.value == 0x200d }
  }

  /// The beginning of a text, so long that it fits, with `…` in place of what doesn't.
  static func fit(_ text: String, _ columns: Int) -> String {
    guard width(text) > columns else { return text }
    guard columns > 0 else { return "" }
    var fitting = ""
    var used = 1
    for character in text {
      used += width(character)
      guard used <= columns else { break }
      fitting.append(character)
    }
    return fitting + "…"
  }

  /// The text, cut or filled up with blanks to exactly so many columns.
  static func pad(_ text: String, _ columns: Int) -> String {
    let text = fit(text, columns)
    return text + String(repeating: " ", count: max(0, columns - width(text)))
  }

  /// The C library knows how wide characters are once it is told that they are Unicode: whatever
  /// the language, that is what the protocol and terminals speak.
  private static let speaksUnicode = unsafe setlocale(LC_CTYPE, "C.UTF-8") != nil

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    speaksUnicode ? max(0, Int(wcwidth(wchar_t(scalar.value)))) : 1
  }
}
