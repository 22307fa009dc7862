import TestSupport

/// Makes up JSON texts that nobody has sent before, with everything in them that a careless reader
/// would change.
struct Composer {
  /// A value, and the same with white space between its tokens.
  struct Text {
    var compact: String
    var spaced: String
  }

  private var lastNumber = 0

  mutating func number() -> Int {
    lastNumber += 1
    return lastNumber
  }

  static let text = #""é ü \u00e9 \/ \" 日本""#
  static let fillers = [100, 1_000, 1_900, 2_100].map { String(repeating: "·", count: $0) }

  private static let members: [[String]] = [
    ["\"amount\"", ":", "1.50"], ["\"amount\"", ":", "1e2"], ["\"zero\"", ":", "-0.0"],
    [#""\u0061mount""#, ":", "7"], ["\"a/b\"", ":", "{", "\"~\"", ":", "1", "}"],
    ["\"big\"", ":", "12345678901234567890.123456789"], ["\"none\"", ":", "null"],
    ["\"text\"", ":", text],
    ["\"twice\"", ":", "1", ",", "\"twice\"", ":", "2"],
    ["\"deep\"", ":", "[", "[", "{", "\"x\"", ":", "[", "]", "}", "]", "]"], ["\"\"", ":", "true"],
    ["\"surrogate\"", ":", #""\ud83d\ude00""#],
  ]

  mutating func content(_ random: inout SeededGenerator) -> Text {
    var tokens = ["{", "\"n\"", ":", "\(number())"]
    while random.chance(oneIn: 2) { tokens += [","] + random.pick(Self.members) }
    if random.chance(oneIn: 12) {
      tokens += [",", "\"filler\"", ":", "\"\(random.pick(Self.fillers))\""]
    }
    tokens.append("}")
    return text(tokens, &random)
  }

  private func text(_ tokens: [String], _ random: inout SeededGenerator) -> Text {
    let compact = tokens.joined()
    guard random.chance(oneIn: 4) else { return Text(compact: compact, spaced: compact) }
    var spaced = ""
    for token in tokens { spaced += random.pick(["", " ", "\t", "  "]) + token }
    return Text(compact: compact, spaced: spaced)
  }
}
