import TestSupport
import Testing

/// The runner's own judgement: a transcript must be able to fail.
@Suite("Expectations") struct ExpectationTests {
  private func mismatches(
    _ expected: String, _ received: String, _ tolerance: Tolerance = .none
  ) throws -> [String] {
    try Expectation(expected).mismatches(with: JSONLine(received), tolerance)
  }

  @Test(
    "a line is as expected",
    arguments: [
      (#"{"a":1,"b":"x"}"#, #"{"b":"x","a":1}"#),
      (#"{"a":*,"b":[1,{"c":2}]}"#, #"{"a":{"x":0},"b":[1, {"c": 2}]}"#),
      (#"{"a":1,...}"#, #"{"a":1,"b":2}"#),
      (#"{...}"#, #"{"a":1}"#),
      (#"{"a":"*...\"*"}"#, #"{"a":"*...\"*"}"#),
      (#"{"activity":{"id":"a",...},"x":0}"#, #"{"x":0,"activity":{"state":"ended","id":"a"}}"#),
      (#"{"delivery":{"behind":*}}"#, #"{"delivery":{"behind":3}}"#),
    ])
  func matches(expected: String, received: String) throws {
    #expect(try mismatches(expected, received) == [])
  }

  @Test(
    "a line is not as expected, and it is said why",
    arguments: [
      (#"{"a":1}"#, #"{"a":1.0}"#, "a is 1.0, not 1"),
      (#"{"a":1}"#, #"{"a":1,"b":2}"#, "b is unexpected: 2"),
      (#"{"a":1,"b":2}"#, #"{"a":1}"#, "b is missing"),
      (#"{"a":*}"#, #"{}"#, "a is missing"),
      (#"{"a":"\#u{e9}"}"#, #"{"a":"e\#u{301}"}"#, #"a is "e\#u{301}", not "\#u{e9}""#),
      (#"{"a":{"x":1,"y":2}}"#, #"{"a":{"y":2,"x":1}}"#, #"a is {"y":2,"x":1}, not {"x":1,"y":2}"#),
      (#"{"activity":{"id":"a"}}"#, #"{"activity":{"id":"a","seq":1}}"#, "seq is unexpected: 1"),
      (#"{"activity":{...}}"#, #"{"activity":1}"#, "activity is no object"),
      (#"{"t":1800000000}"#, #"{"t":1800000001}"#, "t is 1800000001, not 1800000000"),
    ])
  func differs(expected: String, received: String, why: String) throws {
    #expect(try mismatches(expected, received) == [why])
  }

  @Test("over sockets a time may differ by a minute, and an admin stand for a publisher")
  func tolerance() throws {
    let expected = #"{"role":"publisher","now":1800000000}"#
    let near = #"{"role":"admin","now":1800000059.25}"#
    #expect(try mismatches(expected, near, .realDaemon) == [])
    #expect(
      try mismatches(expected, #"{"role":"device","now":1800000061}"#, .realDaemon).count == 2)
    #expect(try mismatches(#"{"seq":7}"#, #"{"seq":8}"#, .realDaemon).count == 1)
  }

  @Test("what would have been expected keeps what was left open")
  func rewriting() throws {
    let received = try JSONLine(
      #"{"ok":"get","seq":3,"cursor":"e:3:0","activity":{"id":"b","x":1}}"#)
    let open = try Expectation(#"{"ok":*,"seq":1,"gone":0,"activity":{"id":"a",...},...}"#)
    #expect(
      open.rewritten(for: received).text
        == #"{"ok":*,"seq":3,"activity":{"id":"b",...},...}"#)
    #expect(
      try Expectation(#"{"ok":"x"}"#).rewritten(for: received).text
        == #"{"ok":"get","seq":3,"cursor":*,"activity":{"id":"b","x":1}}"#)
  }
}

@Suite("Client lines") struct ClientLineTests {
  private func bytes(_ text: String, isRaw: Bool = false) throws -> String {
    let bytes = try ClientLine.bytes(of: text, isRaw: isRaw, saved: ["C1": "e:1:0"])
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("a line is filled in, raw bytes are unescaped")
  func filling() throws {
    #expect(
      try bytes(#"{"since":"$C1","a":"$x3","b":$[2,"c":"$ $y\n"}"#)
        == #"{"since":"e:1:0","a":"xxx","b":[[,"c":"$ $y\n"}"# + "\n")
    #expect(try bytes(#"a\r\n\t\\\x41$x2"#, isRaw: true) == "a\r\n\t\\Axx")
    #expect(throws: TestFailure.self) { try bytes("$C2") }
    #expect(throws: TestFailure.self) { try bytes(#"\q"#, isRaw: true) }
  }

  @Test("times are shifted, and nothing else")
  func shifting() {
    let text = #"{"a":1800000000.5,"b":1799999999,"c":18000000000,"d":1900000001,"e":[1850000000]}"#
    #expect(
      String(decoding: shiftingTimes(in: Array(text.utf8), by: -60), as: UTF8.self)
        == #"{"a":1799999940.5,"b":1799999999,"c":18000000000,"d":1900000001,"e":[1849999940]}"#)
  }

  @Test("every line of every transcript can be understood", arguments: Transcript.names)
  func understood(name: String) throws {
    for line in try Transcript(named: name).lines {
      if case .expect(let object) = line.step {
        #expect(throws: Never.self, "\(name):\(line.number)") { try Expectation(object) }
      }
    }
  }
}
