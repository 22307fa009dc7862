import ActivityCore
import ActivityWire
import TestSupport
import Testing

/// PROTOCOL.md is the contract: what it lists is what there is.
@Suite("PROTOCOL.md") struct ProtocolPageTests {
  private let lines: [String]

  init() throws {
    lines = try Files.read(Files.repository("Protocol/PROTOCOL.md"))
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("its table of errors has every code, and says which can be retried")
  func errors() {
    let rows = table(under: "## Errors")
    #expect(rows.map { $0[0] } == ErrorCode.allCases.map { "`\($0.rawValue)`" })
    #expect(rows.map { $0[3] } == ErrorCode.allCases.map { $0.isRetryable ? "yes" : "no" })
  }

  @Test("its table of limits has every limit with its default")
  func limits() throws {
    let rows = table(under: "## Limits")
    #expect(rows.map { $0[0] } == Limits.places.map { "`\($0.name)`" })
    for (row, limit) in zip(rows, Limits.places) {
      #expect(try amount(row[1]) == Limits().amount(at: limit.place), "\(limit.name)")
    }
  }

  @Test("its examples are lines of the transcripts that they name, in that order")
  func examples() throws {
    let examples = conversations()
    #expect(examples.count > 10)
    for example in examples {
      let name = try #require(
        example.transcript, "the one in line \(example.line) names no transcript")
      var rest = try Transcript(named: name).text[...]
      for line in example.lines {
        let index = rest.firstIndex(of: line)
        #expect(index != nil, "\(name) has no such line: \(line)")
        rest = rest[((index ?? rest.startIndex - 1) + 1)...]
      }
    }
  }

  @Test("every transcript that it names is there")
  func names() {
    let words = lines.flatMap { $0.split { !($0.isLetter || $0.isNumber || "-.".contains($0)) } }
    for name in words where name.hasSuffix(".txt") && name != ".txt" {
      #expect(Transcript.names.contains(String(name)))
    }
  }
}

extension ProtocolPageTests {
  /// The cells of the first table under a heading, without its own head.
  private func table(under heading: String) -> [[String]] {
    let section = lines.drop { $0 != heading }
    let rows = section.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    return rows.dropFirst(2).map { row in
      row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingSpaces() }
    }
  }

  /// As `65,536`, `10 min` or `30 days` says it; times in seconds, `no` as 0 and `none` as nil.
  private func amount(_ text: String) throws -> Int? {
    switch text {
    case "none": return nil
    case "no": return 0
    default: break
    }
    let words = text.split(separator: " ")
    let units = ["s": 1, "min": 60, "h": 3_600, "days": 86_400]
    let number = try #require(Int(words[0].filter { $0 != "," }), "\(text)")
    return words.count == 1 ? number : number * (try #require(units[String(words[1])]))
  }

  private struct Conversation {
    var line: Int
    var lines: [String] = []
    var transcript: String?
  }

  /// All blocks of code in which a client speaks or hears, with what is named right below.
  private func conversations() -> [Conversation] {
    var examples: [Conversation] = []
    var open: Conversation?
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        if let example = open, example.lines.contains(where: { $0.contains(#/^[a-z-]+[<>]+ /#) }) {
          examples.append(example)
        }
        open = open == nil ? Conversation(line: index + 1) : nil
      } else if open != nil {
        open?.lines.append(line)
      } else if let match = line.wholeMatch(of: #/\(`([^`]+\.txt)`\)/#), lines[index - 1] == "```" {
        examples[examples.count - 1].transcript = String(match.1)
      }
    }
    return examples
  }
}

extension StringProtocol {
  fileprivate func trimmingSpaces() -> String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
