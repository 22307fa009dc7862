import ActivityWire
import Testing

@Suite("Scanning JSON")
struct JSONScannerTests {
  @Test("members come in order, each with its kind, its bytes and a string's content")
  func members() throws {
    let line = #"{"op":"start","n":-1.50e+3,"t":true,"f":false,"z":null,"a":[1],"o":{"k":2}}"#
    #expect(
      try scan(line).map(\.description) == [
        #"op string "start" start"#, "n number -1.50e+3", "t true true", "f false false",
        "z null null", "a array [1]", #"o object {"k":2}"#,
      ])
  }

  @Test("elements of an array have no key")
  func elements() throws {
    let scanner = JSONScanner(depthMax: 64)
    let line = try scanner.scan(#"{"a":["b",1]}"#)
    let elements = try scanner.members(of: line.lowerBound)
    #expect(elements.map { scanner.string(scanner[$0].key) } == ["", ""])
    #expect(elements.map { scanner.string(scanner[$0].value) } == [#""b""#, "1"])
  }

  @Test("an empty object has no members", arguments: ["{}", " { } "])
  func empty(_ line: String) throws {
    #expect(try scan(line).isEmpty)
  }

  @Test("white space between tokens goes, and nothing else changes")
  func bytesPass() throws {
    let value = #"""
      { "b" : [ 1.0 , -0.0 , 1e-7, 1E+999999, 123456789012345678901234567890 ] ,	"a": "x  y\u00e9\/\n é" ,
      "b" : null, "" : { }, "\"": [ ] , "e\\" : [ "\\" , " " ] }
      """#
    let compact =
      #"{"b":[1.0,-0.0,1e-7,1E+999999,123456789012345678901234567890],"a":"x  y\u00e9\/\n é","#
      + #""b":null,"":{},"\"":[],"e\\":["\\"," "]}"#
    #expect(try scan("{\"content-state\" : \(value) }")[0].value == compact)
    #expect(try scan("{\"content-state\":\(compact)}")[0].value == compact)
  }

  @Test("escapes are resolved in keys and contents, and kept in the value")
  func escapes() throws {
    let member = try #require(try scan(#"{ "\u006fp" : "\ud83d\ude00\t\"\u0000" }"#).first)
    #expect(member.key == "op")
    #expect(member.text == "😀\t\"\0")
    #expect(member.value == #""\ud83d\ude00\t\"\u0000""#)
  }

  @Test("duplicate keys are delivered, however they are spelt")
  func duplicates() throws {
    #expect(try scan(#"{"a":1,"a":2,"\u0061":3}"#).map(\.key) == ["a", "a", "a"])
  }

  @Test("a nested value is read on while the members around it stay valid")
  func nested() throws {
    let scanner = JSONScanner(depthMax: 64)
    let line = #"{ "e" : "\n", "aps" : { "alert" : { "title" : "\u0041" } }, "id" : "x" }"#
    let outer = try scanner.scan(line)
    let inner = try scanner.members(of: outer.lowerBound + 1)
    let innermost = try scanner.members(of: inner.lowerBound)
    #expect(outer.map { scanner.string(scanner[$0].text) } == ["\n", "", "x"])
    #expect(inner.map { scanner.string(scanner[$0].value) } == [#"{"title":"\u0041"}"#])
    #expect(innermost.map { scanner.string(scanner[$0].text) } == ["A"])
    #expect(throws: JSONScanner.Failure.self) { try scanner.members(of: 0) }
  }

  @Test(
    "what isn't one object is told apart",
    arguments: [
      ("help", .notAnObject, 0), ("", .malformed, 0), ("\u{FEFF}{}", .notAnObject, 0),
      (" 1", .notAnObject, 1), (" [{}]", .notAnObject, 1), ("[1", .unclosed, 2),
      ("\"{}\"", .notAnObject, 0), ("{\"a\":1", .unclosed, 6),
      ("{", .unclosed, 1), ("{\"a", .unclosed, 3), ("{\"a\":", .unclosed, 5),
      ("{\"a\":[1,", .unclosed, 8), ("{\"a\":1,}", .malformed, 7), ("{\"a\":1]", .malformed, 6),
      ("{\"a\" 1}", .malformed, 5), ("{a:1}", .malformed, 1), ("{} {}", .malformed, 3),
      ("{\"a\":1}}", .malformed, 7), ("{\"a\":\"b\":1}", .malformed, 8),
      ("{\"a\":01}", .malformed, 5), ("{\"a\":tru}", .malformed, 5),
      ("{\"a\":\u{0}}", .malformed, 5),
      ("{\"a\":\"\u{1}\"}", .controlCharacter, 0), ("{\"a\":\"\\x\"}", .malformed, 5),
      ("{\"a\":\"\\ud800\"}", .malformed, 5), ("{\"a\":\"\\udc00\"}", .malformed, 5),
      ("{\"a\":[\"\\u12\"]}", .malformed, 6), ("{\"\\uDEAD\":0}", .malformed, 1),
    ] as [(String, JSONScanner.Failure.Reason, Int)])
  func failures(_ line: String, _ reason: JSONScanner.Failure.Reason, _ offset: Int) {
    expect(reason, at: offset, from: Array(line.utf8))
  }

  @Test(
    "what isn't UTF-8 is refused",
    arguments: [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82]])
  func notUTF8(_ bytes: [UInt8]) {
    expect(.notUTF8, at: 0, from: Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8))
  }

  @Test("64 levels are accepted, 65 are too deep, 65,000 do no harm")
  func depth() throws {
    func nest(_ depth: Int) -> [UInt8] {
      let open = [UInt8](repeating: UInt8(ascii: "["), count: depth - 1)
      let close = [UInt8](repeating: UInt8(ascii: "]"), count: depth - 1)
      return Array(#"{"a":"#.utf8) + open + close + Array("}".utf8)
    }
    #expect(try JSONScanner(depthMax: 64).scan(nest(64)).count == 1)
    expect(.tooDeep, at: 68, from: nest(65))
    expect(.tooDeep, at: 68, from: nest(65_000))
    expect(.tooDeep, at: 64, from: [UInt8](repeating: UInt8(ascii: "["), count: 65_000))
  }

  @Test("a scanner goes on after any failure, with lines of all lengths")
  func reuse() throws {
    let scanner = JSONScanner(depthMax: 64)
    for length in [0, 1, 10, 100, 1_000, 10_000, 65_000, 3, 200_000, 1] {
      let text = String(repeating: "é", count: length)
      let line = "{ \"a\" : [ \"\(text)\" ], \"\\u0062\" : \"\\n\(text)\" }"
      let members = try scanner.scan(line)
      #expect(scanner.string(scanner[members.lowerBound].value) == "[\"\(text)\"]")
      #expect(scanner.string(scanner[members.lowerBound + 1].text) == "\n\(text)")
      #expect(throws: JSONScanner.Failure.self) { try scanner.scan(String(line.dropLast())) }
    }
  }
}

func expect(
  _ reason: JSONScanner.Failure.Reason, at offset: Int, from line: [UInt8],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let failure = #expect(throws: JSONScanner.Failure.self, sourceLocation: sourceLocation) {
    _ = try JSONScanner(depthMax: 64).scan(line)
  }
  #expect(failure?.reason == reason, sourceLocation: sourceLocation)
  #expect(failure?.offset == offset, sourceLocation: sourceLocation)
}

/// A member, copied out of the scanner.
struct ScannedMember {
  let kind: JSONScanner.Kind
  let key: String
  let value: String
  let text: String
  var description: String { "\(key) \(kind) \(value)" + (text.isEmpty ? "" : " \(text)") }
}

func scan(_ line: String) throws -> [ScannedMember] {
  let scanner = JSONScanner(depthMax: 64)
  return try scanner.scan(line).map { index in
    let member = scanner[index]
    return ScannedMember(
      kind: member.kind, key: scanner.string(member.key), value: scanner.string(member.value),
      text: scanner.string(member.text))
  }
}

extension JSONScanner {
  func scan(_ line: String) throws(Failure) -> Range<Int> { try scan(Array(line.utf8)) }

  func scan(_ line: [UInt8]) throws(Failure) -> Range<Int> { try unsafe scan(line.span.bytes) }
}
