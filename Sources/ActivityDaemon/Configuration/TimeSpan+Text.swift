package import ActivityCore

/// Lengths of time as systemd writes them: `5min`, `1h 30min`, `500ms`; a number without a unit is
/// of seconds.
extension TimeSpan {
  /// In microseconds, falling; `description` uses the first name of those that it needs.
  private static let units: [(microseconds: Int64, names: [String])] = [
    (31_557_600_000_000, ["y", "year", "years"]),
    (2_629_800_000_000, ["M", "month", "months"]),
    (604_800_000_000, ["w", "week", "weeks"]),
    (86_400_000_000, ["d", "day", "days"]),
    (3_600_000_000, ["h", "hr", "hour", "hours"]),
    (60_000_000, ["min", "m", "minute", "minutes"]),
    (1_000_000, ["s", "sec", "second", "seconds"]),
    (1_000, ["ms", "msec"]),
    (1, ["us", "µs", "μs", "usec"]),
  ]

  /// Reads a span; nil if it is none or too long to be counted.
  package init?(text: String) {
    var rest = text[...]
    var sum: Int64 = 0
    rest = rest.drop { $0 == " " }
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      rest = rest.dropFirst(number.count).drop { $0 == " " }
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count).drop { $0 == " " }
      guard let part = Self.microseconds(number, unit) else { return nil }
      let (total, overflow) = sum.addingReportingOverflow(part)
      guard !overflow else { return nil }
      sum = total
    }
    self.init(microseconds: sum)
  }

  private static func microseconds(_ number: Substring, _ unit: Substring) -> Int64? {
    let name = unit.isEmpty ? "s" : String(unit)
    guard let unit = units.first(where: { $0.names.contains(name) }) else { return nil }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = Int64(parts[0]) else { return nil }
    let (product, overflow) = whole.multipliedReportingOverflow(by: unit.microseconds)
    guard !overflow else { return nil }
    guard parts.count == 2 else { return product }
    guard let fraction = Double("0." + parts[1]), !parts[1].isEmpty else { return nil }
    let added = Int64((fraction * Double(unit.microseconds)).rounded())
    let (sum, tooLong) = product.addingReportingOverflow(added)
    return tooLong ? nil : sum
  }

  /// The shortest way to write it in days and less, as `1h 30min`; `0` for none.
  package var text: String {
    var rest = microseconds
    var parts: [String] = []
    for unit in Self.units.dropFirst(3) where rest >= unit.microseconds {
      parts.append("\(rest / unit.microseconds)\(unit.names[0])")
      rest %= unit.microseconds
    }
    return parts.isEmpty ? "0" : parts.joined(separator: " ")
  }
}
