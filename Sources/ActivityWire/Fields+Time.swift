import ActivityCore

/// Dates are seconds since 1970; they are kept in microseconds.
extension Fields {
  /// Later than every date in seconds that anybody means, and earlier than every one in
  /// milliseconds: the year 5138 of the former, 1973 of the latter.
  private static let secondsMax: Int64 = 100_000_000_000

  func date(_ key: Key) throws(Refusal) -> Instant? {
    guard let member = member(key) else { return nil }
    let wanted = "a date in seconds since 1970"
    guard member.kind == .number, case let number = number(member.value), !number.isNegative
    else { throw refusal(key, mustBe: wanted) }
    guard let scaled = number.scaled(by: 6), scaled.value < Self.secondsMax * 1_000_000 else {
      throw refusal(key, mustBe: wanted + ", not in milliseconds", code: .dateInMilliseconds)
    }
    guard scaled.value > 0 else { throw refusal(key, mustBe: wanted) }
    return Instant(microseconds: scaled.value)
  }

  /// A length of time in seconds, within a range in seconds.
  func span(
    _ key: Key, _ range: ClosedRange<Int64>, _ wanted: @autoclosure () -> String
  ) throws(Refusal) -> TimeSpan? {
    guard let member = member(key) else { return nil }
    guard member.kind == .number, let scaled = number(member.value).scaled(by: 6),
      range.lowerBound * 1_000_000...range.upperBound * 1_000_000 ~= scaled.value
    else { throw refusal(key, mustBe: wanted()) }
    return TimeSpan(microseconds: scaled.value)
  }

  /// What was given of an `x-date` and its twin `x-after`.
  func moment(_ dateKey: Key, _ afterKey: Key) throws(Refusal) -> Moment? {
    let date = try date(dateKey)
    let after = try span(afterKey, 0...Self.secondsMax, "a number of seconds, 0 or more")
    if let date {
      guard after == nil else { throw conflict(dateKey, afterKey) }
      return .at(date)
    }
    return after.map { .after($0) }
  }

  func conflict(_ first: Key, _ second: Key) -> Refusal {
    Refusal(
      .badValue, "\(name(first)) and \(name(second)) exclude each other",
      key: second.name)
  }

  /// A sender's clock. The word "now" means the same as to say nothing.
  func timestamp() throws(Refusal) -> Timestamp? {
    guard let member = member(.timestamp) else { return nil }
    if member.kind == .string, scanner.withBytes(member.text, { $0.isEqual(to: "now") }) {
      return nil
    }
    guard member.kind == .number else {
      throw refusal(.timestamp, mustBe: "a date in seconds since 1970, or \"now\"")
    }
    return try date(.timestamp).map {
      Timestamp(instant: $0, isWholeSecond: !number(member.value).hasFraction)
    }
  }
}
