/// Lengths of time as people write them.
enum TimeText {
  private static let units: [(letter: Character, seconds: Double)] = [
    ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
  ]

  /// Reads `90`, `90s`, `5m`, `1h30m`, `1.5h` or `2d`; nil for anything else. The larger unit
  /// comes first.
  static func seconds(_ text: String) -> Double? {
    if let plain = number(text[...]) { return plain }
    var total = 0.0
    var rest = text[...]
    for (letter, seconds) in units {
      guard let end = rest.firstIndex(of: letter) else { continue }
      guard let count = number(rest[..<end]) else { return nil }
      total += count * seconds
      rest = rest[end...].dropFirst()
    }
    return rest.isEmpty && !text.isEmpty && total.isFinite ? total : nil
  }

  private static func number(_ text: Substring) -> Double? {
    guard text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (48...57).contains($0) }) else {
      return nil
    }
    guard let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// As a clock shows it: `4:05`, `1:02:03`, and days as `2d 1:02:03`. What is left of a second
  /// isn't shown.
  static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds.magnitude < 1e12 else { return "∞" }
    let total = Int(seconds.magnitude)
    let (days, hours, minutes) = (total / 86_400, total / 3_600 % 24, total / 60 % 60)
    var text = days > 0 ? "\(days)d " : ""
    if total >= 3_600 { text += "\(hours):" }
    text += total >= 3_600 ? twoDigits(minutes) : "\(minutes)"
    return (seconds <= -1 ? "-" : "") + text + ":" + twoDigits(total % 60)
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
