import TestSupport

/// How far a received value may differ from the one that is expected.
struct Tolerance {
  /// Between times, in seconds.
  let seconds: Double
  /// Whether an admin may stand where a publisher is expected, whose role it includes.
  let takesAdminForPublisher: Bool

  static let none = Tolerance(seconds: 0, takesAdminForPublisher: false)
  /// The clock of a real daemon runs on, and its Unix socket knows no mere publishers.
  static let realDaemon = Tolerance(seconds: 60, takesAdminForPublisher: true)
}

/// What a line from the daemon is to be: an object with these members, and perhaps further ones.
struct Expectation {
  private enum Value {
    case anything
    case exactly(JSONLine.Value)
    case object(Expectation)
  }

  private var members: [(key: String, value: Value)] = []
  private var allowsMore = false

  /// What would expect this line and nothing else, but for values that nobody could foretell.
  init(expecting line: JSONLine) {
    members = line.members.map { ($0.key, Self.expecting($0.value, of: $0.key)) }
  }

  /// Reads an object in which `*` may stand for a value and `...` for further members.
  init(_ text: String) throws { self.init(try JSONLine(Self.withStandIns(text))) }

  // In their place stand what no transcript says otherwise.
  private static let wildcard = #""\u0000*""#
  private static let furtherMembers = "..."

  private init(_ line: JSONLine) {
    for (key, value) in line.members {
      if key == Self.furtherMembers {
        allowsMore = true
      } else if value.raw == Self.wildcard {
        members.append((key, .anything))
      } else {
        members.append((key, Self.own(key, value)))
      }
    }
  }

  /// The daemon's own objects are matched member by member, all others by their bytes.
  private static func own(_ key: String, _ value: JSONLine.Value) -> Value {
    guard ["activity", "delivery", "client", "token"].contains(key), let object = value.object
    else {
      return .exactly(value)
    }
    return .object(Expectation(object))
  }

  private static func withStandIns(_ text: String) -> String {
    var json = ""
    var isInString = false
    var isEscaped = false
    var dots = 0
    for character in text.unicodeScalars {
      if character == "\"", !isEscaped { isInString.toggle() }
      isEscaped = isInString && character == "\\" && !isEscaped
      dots = !isInString && character == "." ? dots + 1 : 0
      if character == "*", !isInString {
        json += wildcard
      } else {
        json.unicodeScalars.append(character)
      }
      if dots == 3 { json = String(json.dropLast(3)) + "\"\(furtherMembers)\":0" }
    }
    return json
  }
}

// MARK: - Matching

extension Expectation {
  /// What is wrong with a line; empty if it is as expected.
  func mismatches(with line: JSONLine, _ tolerance: Tolerance) -> [String] {
    var mismatches: [String] = []
    for (key, value) in members {
      guard let received = line[key] else {
        mismatches.append("\(key) is missing")
        continue
      }
      switch value {
      case .anything: break
      case .exactly(let expected):
        if !tolerance.accepts(received, for: expected, of: key) {
          mismatches.append("\(key) is \(received.raw), not \(expected.raw)")
        }
      case .object(let expectation):
        let inner = received.object.map { expectation.mismatches(with: $0, tolerance) }
        mismatches += inner ?? ["\(key) is no object"]
      }
    }
    guard !allowsMore else { return mismatches }
    for (key, value) in line.members where !members.contains(where: { $0.key == key }) {
      mismatches.append("\(key) is unexpected: \(value.raw)")
    }
    return mismatches
  }
}

extension Tolerance {
  fileprivate func accepts(
    _ received: JSONLine.Value, for expected: JSONLine.Value, of key: String
  ) -> Bool {
    if received == expected { return true }
    if takesAdminForPublisher, key == "role" {
      return expected.string == "publisher" && received.string == "admin"
    }
    // Only a time is so large that a minute doesn't matter.
    guard let one = received.number, let other = expected.number, one > 1e9, other > 1e9 else {
      return false
    }
    return abs(one - other) <= seconds
  }
}

// MARK: - Rewriting

extension Expectation {
  /// What would expect this line: as this one, but with the values that were received. What could
  /// be anything still can, and what wasn't looked at still isn't.
  func rewritten(for line: JSONLine) -> Expectation {
    var rewritten = self
    rewritten.members = members.compactMap { key, value in
      guard let received = line[key] else { return nil }
      switch value {
      case .anything: return (key, .anything)
      case .exactly: return (key, .exactly(received))
      case .object(let inner):
        return (key, received.object.map { .object(inner.rewritten(for: $0)) } ?? .anything)
      }
    }
    guard !allowsMore else { return rewritten }
    for (key, value) in line.members where !members.contains(where: { $0.key == key }) {
      rewritten.members.append((key, Self.expecting(value, of: key)))
    }
    return rewritten
  }

  private static func expecting(_ value: JSONLine.Value, of key: String) -> Value {
    ["cursor", "epoch", "message"].contains(key) ? .anything : .exactly(value)
  }

  /// As a transcript says it.
  var text: String {
    let parts = members.map { key, value in
      switch value {
      case .anything: "\"\(key)\":*"
      case .exactly(let value): "\"\(key)\":\(value.raw)"
      case .object(let inner): "\"\(key)\":\(inner.text)"
      }
    }
    return "{\((parts + (allowsMore ? [Self.furtherMembers] : [])).joined(separator: ","))}"
  }
}
