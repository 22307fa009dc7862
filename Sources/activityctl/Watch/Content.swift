internal import ActivityClient

/// What can be shown of a content-state by somebody who doesn't know its type: it is recognised by
/// its form, and by a few names that everybody uses.
///
/// - A number is a time if it lies within a year of now, counted from 2001 (as Swift encodes a
///   `Date`) below 1.2e9 and from 1970 above it: it is shown as what is left, or as how long ago.
/// - `startedAt` and `accumulatedTime` make a stopwatch, which stands while `startedAt` is null or
///   `isRunning` is false.
/// - Two times, as an array or as the two members of an object, are a span of time: a countdown
///   with its progress.
/// - A number whose name speaks of progress or percent is a bar.
struct Content: Equatable {
  enum Value: Equatable {
    case text(String)
    /// 0 to 1.
    case progress(Double)
    case time(at: Double)
    case span(from: Double, to: Double)
    case running(since: Double)
    case standing(seconds: Double)
  }

  struct Fact: Equatable {
    let label: String
    let value: Value
  }

  /// The one text that says most.
  private(set) var headline: String?
  private(set) var facts: [Fact] = []

  /// - Parameter now: in seconds since 1970.
  init(_ state: JSONValue, now: Double) {
    self.now = now
    switch state {
    case .object(let object): take(object, prefix: "")
    case .null: break
    default: facts.append(Fact(label: "", value: .text(Self.text(state))))
    }
    liftHeadline()
  }

  private let now: Double

  private static let headlineNames = ["status", "state", "phase", "title", "headline", "message"]
  private static let secondsBefore2001 = 978_307_200.0
  private static let secondsOfYear = 366 * 86_400.0

  private mutating func liftHeadline() {
    let facts = facts
    func isText(_ fact: Fact) -> Bool { if case .text = fact.value { true } else { false } }
    let named = Self.headlineNames.lazy.compactMap { name in
      facts.firstIndex { $0.label == name && isText($0) }
    }
    guard let index = named.first ?? facts.firstIndex(where: { isText($0) && $0.label.isEmpty })
    else { return }
    headline = self.facts.remove(at: index).value.text(now: now)
  }
}

// MARK: - Reading

extension Content {
  private mutating func take(_ object: JSONObject, prefix: String) {
    let isStopwatch = takeStopwatch(object, prefix: prefix)
    for member in object.members {
      if isStopwatch, ["startedAt", "accumulatedTime", "isRunning"].contains(member.key) {
        continue
      }
      take(member.value, named: prefix + Self.words(member.key), key: member.key)
    }
  }

  private mutating func take(_ value: JSONValue, named label: String, key: String) {
    switch value {
    case .null: break
    case .object(let object):
      if object.members.count == 2, let span = span(object.members.map(\.value)) {
        facts.append(Fact(label: label, value: span))
      } else {
        take(object, prefix: label + " ")
      }
    case .array(let elements):
      facts.append(Fact(label: label, value: span(elements) ?? .text(Self.text(value))))
    case .number:
      let number = value.numberValue ?? 0
      facts.append(
        Fact(
          label: label,
          value: Self.progress(number, key).map(Value.progress) ?? date(number).map {
            .time(at: $0)
          }
            ?? .text(Self.text(value))))
    case .bool, .string: facts.append(Fact(label: label, value: .text(Self.text(value))))
    }
  }

  private mutating func takeStopwatch(_ object: JSONObject, prefix: String) -> Bool {
    guard let started = object["startedAt"] else { return false }
    let accumulated = object.number("accumulatedTime") ?? 0
    let isRunning = object.bool("isRunning") ?? true
    if isRunning, let start = started.numberValue.flatMap(date) {
      facts.append(Fact(label: prefix + "time", value: .running(since: start - accumulated)))
    } else if started == .null || !isRunning {
      facts.append(Fact(label: prefix + "time", value: .standing(seconds: accumulated)))
    } else {
      return false
    }
    return true
  }

  private func span(_ values: [JSONValue]) -> Value? {
    guard values.count == 2, let from = values[0].numberValue.flatMap(date),
      let to = values[1].numberValue.flatMap(date), from < to
    else { return nil }
    return .span(from: from, to: to)
  }

  /// The time that a number stands for, in seconds since 1970.
  private func date(_ number: Double) -> Double? {
    let date = number < 1.2e9 ? number + Self.secondsBefore2001 : number
    return (date - now).magnitude < Self.secondsOfYear ? date : nil
  }

  private static func progress(_ number: Double, _ key: String) -> Double? {
    let name = key.lowercased()
    let isPercent = name.contains("percent")
    guard isPercent || name.contains("progress") || name.contains("fraction") else { return nil }
    let fraction = isPercent || number > 1 ? number / 100 : number
    return (0...1).contains(fraction) ? fraction : nil
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .string(let string): string
    case .bool(let bool): bool ? "yes" : "no"
    case .array(let elements):
      elements.map { $0.stringValue ?? $0.text }.joined(separator: ", ")
    default: value.text
    }
  }

  /// `etaMinutes` is `eta minutes`.
  static func words(_ key: String) -> String {
    var words = ""
    for character in key {
      if character.isUppercase, words.last?.isLowercase ?? false { words += " " }
      words += character == "_" || character == "-" ? " " : character.lowercased()
    }
    return words
  }
}

// MARK: - Saying

extension Content.Value {
  /// The value at a moment, in few columns.
  func text(now: Double) -> String {
    switch self {
    case .text(let text): text
    case .progress(let fraction): "\(Int((fraction * 100).rounded()))%"
    case .time(let date):
      date > now ? "in \(TimeText.clock(date - now))" : "\(TimeText.clock(now - date)) ago"
    case .span(let from, let to): TimeText.clock(now < from ? to - from : max(0, to - now))
    case .running(let since): TimeText.clock(max(0, now - since))
    case .standing(let seconds): TimeText.clock(seconds) + " ‖"
    }
  }

  /// How much of it is done, 0 to 1; nil where that can't be said.
  func progress(now: Double) -> Double? {
    switch self {
    case .progress(let fraction): fraction
    case .span(let from, let to): min(1, max(0, (now - from) / (to - from)))
    case .text, .time, .running, .standing: nil
    }
  }

  /// Whether it shows time.
  var isClock: Bool {
    switch self {
    case .text, .progress: false
    case .time, .span, .running, .standing: true
    }
  }
}
