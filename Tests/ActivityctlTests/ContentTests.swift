import ActivityClient
import Testing

@testable import activityctl

@Suite("What is made of content") struct ContentTests {
  private static let now = 1_800_000_000.0
  private static let second2001 = 978_307_200

  private func content(_ text: String) throws -> Content {
    Content(try #require(JSONValue(text: text)), now: Self.now)
  }

  private func facts(_ text: String) throws -> [String] {
    try content(text).facts.map {
      ($0.label.isEmpty ? "" : $0.label + " ") + $0.value.text(now: Self.now)
    }
  }

  @Test("a status stands out; the rest is named in words")
  func headline() throws {
    let content = try content(#"{"etaMinutes":12,"status":"onTheWay","courier":{"name":"Ana"}}"#)
    #expect(content.headline == "onTheWay")
    #expect(content.facts.map(\.label) == ["eta minutes", "courier name"])
    #expect(try self.content(#""plain""#).headline == "plain")
    #expect(try self.content("null") == Content(.null, now: Self.now))
  }

  @Test("a stopwatch runs from its start and what was accumulated, and stands without a start")
  func stopwatch() throws {
    let state = { (start: String, isRunning: Bool) in
      #"{"startedAt":\#(start),"accumulatedTime":30,"isRunning":\#(isRunning)}"#
    }
    #expect(try facts(state("1799999940", true)) == ["time 1:30"])
    #expect(try facts(state("\(1_799_999_940 - Self.second2001)", true)) == ["time 1:30"])
    #expect(try facts(state("null", false)) == ["time 0:30 ‖"])
    #expect(try facts(state("1799999940", false)) == ["time 0:30 ‖"])
  }

  @Test("a number near now is a time, counted from 1970 or from 2001")
  func times() throws {
    #expect(try facts(#"{"eta":1800000754}"#) == ["eta in 12:34"])
    #expect(try facts(#"{"eta":\#(1_800_000_754 - Self.second2001).5}"#) == ["eta in 12:34"])
    #expect(try facts(#"{"left":1799999940}"#) == ["left 1:00 ago"])
    #expect(try facts(#"{"views":1300000000}"#) == ["views 1300000000"])
  }

  @Test("two times are a countdown that knows how much is over")
  func spans() throws {
    for text in [
      #"{"timer":[1799999700,1800000900]}"#,
      #"{"timer":{"lowerBound":1799999700,"upperBound":1800000900}}"#,
    ] {
      let content = try content(text)
      #expect(content.facts.map { $0.value.text(now: Self.now) } == ["15:00"])
      #expect(content.facts.first?.value.progress(now: Self.now) == 0.25)
    }
  }

  @Test(
    "what speaks of progress is a bar",
    arguments: [
      (#"{"progress":0.25}"#, 0.25), (#"{"percentDone":25}"#, 0.25), (#"{"progress":40}"#, 0.4),
    ])
  func progress(text: String, fraction: Double) throws {
    #expect(try content(text).facts.first?.value == .progress(fraction))
    #expect(TerminalText.width(Card.bar(fraction, columns: 30).text) == 30)
  }

  @Test("keys come as terminals send them")
  func keys() {
    var reader = KeyReader()
    #expect(
      reader.keys(in: Array("\u{1b}[A\u{1b}OBq\r".utf8)) == [.up, .down, .character("q"), .enter])
    #expect(reader.keys(in: [0x1b]) == [.escape])
    #expect(reader.keys(in: Array("\u{1b}[5~x".utf8)) == [.escape, .character("x")])
    let bytes = Array("é".utf8)
    #expect(reader.keys(in: [bytes[0]]).isEmpty)
    #expect(reader.keys(in: [bytes[1]]) == [.character("é")])
  }
}
