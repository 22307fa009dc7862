import ActivityDaemon
import TestSupport
import Testing

@Suite("Unit-file syntax") struct UnitFileTests {
  private func read(_ content: String) -> UnitFile { UnitFile(Array(content.utf8), path: "a.conf") }

  /// `line: [section] key=value`, each.
  private func entries(_ content: String) -> [String] {
    read(content).entries.map { "\($0.line): [\($0.section)] \($0.key)=\($0.value)" }
  }

  private func problems(_ content: String) -> [String] { read(content).problems.map(\.description) }

  @Test("keys belong to the section above them, and know their lines")
  func sections() {
    let content = """
      [A]
      One=1

      Two=2
      [B]
      One=3
      """
    #expect(entries(content) == ["2: [A] One=1", "4: [A] Two=2", "6: [B] One=3"])
    #expect(read(content).entries.map(\.heading) == [1, 1, 5])
    #expect(problems(content) == [])
  }

  @Test(
    "white space around keys and values is nothing, carriage returns and a mark at the start too")
  func whiteSpace() {
    #expect(
      entries("\u{FEFF}[A]\r\n\t One =  1 2 \r\nTwo=2\r\n") == ["2: [A] One=1 2", "3: [A] Two=2"])
  }

  @Test("a comment has a line to itself; inside a value its characters are the value's")
  func comments() {
    #expect(
      entries("# x\n; y\n [A]\n  # z=1\nOne=1 ; no #comment\nTwo=a=b:c")
        == ["5: [A] One=1 ; no #comment", "6: [A] Two=a=b:c"])
  }

  @Test("a line that ends in a backslash goes on in the next, over comments")
  func continuation() {
    #expect(
      entries("[A]\nOne=a \\\n# aside\n  b \\\r\nc\nTwo=2") == [
        "2: [A] One=a    b  c", "6: [A] Two=2",
      ])
    // A comment doesn't go on.
    #expect(entries("[A]\n# x \\\nOne=1") == ["3: [A] One=1"])
  }

  @Test("a key may be set to nothing")
  func nothing() {
    #expect(entries("[A]\nOne=\nTwo =  ") == ["2: [A] One=", "3: [A] Two="])
  }

  @Test("a key above the first heading is in no section")
  func noSection() {
    #expect(entries("One=1") == ["1: [] One=1"])
  }

  @Test("every line that is none of them is a problem, and the others are read")
  func malformed() {
    let content = "[A]\nnonsense\n[B\nOne=1\n[C] # more\nTwo=2\n  x"
    #expect(entries(content) == ["4: [B] One=1", "6: [C] Two=2"])
    #expect(
      problems(content) == [
        "a.conf:3: a heading is [Section], alone on its line",
        "a.conf:5: a heading is [Section], alone on its line",
        "a.conf:2: a line is Key=Value, [Section] or a comment",
        "a.conf:7: a line is Key=Value, [Section] or a comment",
      ])
  }

  @Test("the longest line has 8192 bytes")
  func longLines() {
    let longest = "One=" + String(repeating: "x", count: 8_188)
    #expect(read("[A]\n\(longest)\nTwo=2").entries.map(\.value.utf8.count) == [8_188, 1])
    #expect(entries("[A]\n\(longest)x\nTwo=2") == ["3: [A] Two=2"])
    #expect(problems("[A]\n\(longest)x") == ["a.conf:2: a line has at most 8192 bytes"])
  }

  @Test("what is no text is a problem of its line")
  func noText() {
    let content: [UInt8] = Array("[A]\nOne=\u{0}1\nTwo=".utf8) + [0xFF] + Array("\nThree=ü".utf8)
    let file = UnitFile(content, path: "a.conf")
    #expect(file.entries.map(\.value) == ["ü"])
    #expect(file.problems.map(\.line) == [2, 3])
    #expect(file.problems.allSatisfy { $0.message == "this is no UTF-8 text" })
  }

  @Test("a mark of the byte order is nothing, even before a heading that isn't known")
  func byteOrderMark() {
    #expect(read("\u{FEFF}[A]\nOne=1").entries.map(\.heading) == [1])
  }

  @Test("whatever is read, each line gives an entry, a problem or nothing")
  func anything() {
    var random = SeededGenerator(seed: 1)
    let pieces = [
      "[", "]", "=", ":", "\n", "\r", "\\", "#", ";", " ", "A", "[A]\n", "One=1\n", "\u{0}", "é",
    ]
    for _ in 0..<2_000 {
      let content = (0..<random.below(40)).map { _ in random.pick(pieces) }.joined()
      let file = read(content)
      let lines = file.entries.map(\.line) + file.problems.compactMap(\.line)
      #expect(lines.allSatisfy { 1...(content.utf8.count { $0 == 10 } + 1) ~= $0 }, "\(content)")
      #expect(Set(file.entries.map(\.line)).count == file.entries.count, "\(content)")
    }
  }

  @Test("an empty file has nothing in it")
  func empty() {
    #expect(read("").entries == [])
    #expect(read("").problems == [])
  }
}
