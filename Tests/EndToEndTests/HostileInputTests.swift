import TestSupport
import Testing

@Suite("Hostile input")
struct HostileInputTests {
  private static let lineBytesMax = 65_536

  @Test("each of many thousand bad lines is answered by what is wrong with it")
  func badLines() throws {
    let daemon = try Installation().start()
    let client = try daemon.publisher()
    let kinds: [(line: String, code: String)] = [
      ("help", "bad-json"), ("{", "bad-json"), (#"{"op":"ping"} {}"#, "bad-json"),
      (#"{"op":"ping",}"#, "bad-json"), ("\u{feff}{}", "bad-json"), ("[1]", "not-an-object"),
      ("{}", "missing-key"), (#"{"op":"pong"}"#, "unknown-op"),
      (#"{"op":"ping","rev":1}"#, "unknown-key"), (#"{"op":"ping","op":"ping"}"#, "duplicate-key"),
      (#"{"op":"get","id":"nobody"}"#, "unknown-activity"),
      (#"{"op":"update","id":"nobody","content-state":1}"#, "unknown-activity"),
      (#"{"op":"cancel","id":""}"#, "bad-value"),
      (
        #"{"op":"start","attributes-type":"T","content-state":1e999,"stale-date":1e12}"#,
        "date-in-milliseconds"
      ),
    ]
    let rounds = 1_000
    let flood = kinds.map { $0.line + "\n" }.joined()
    var answers = 0
    func take(_ line: String) throws {
      let expected = kinds[answers % kinds.count]
      guard line.hasPrefix(#"{"error":"\#(expected.code)","#) else {
        throw TestFailure("\(expected.line) was answered \(line)")
      }
      answers += 1
    }
    for _ in 0..<rounds { try client.send(Array(flood.utf8)[...], taking: take) }
    while answers < rounds * kinds.count, let line = try client.readLine() { try take(line) }
    #expect(answers == rounds * kinds.count)
    #expect(try client.order(#"{"op":"ping"}"#)["seq"]?.integer == 0)
  }

  @Test(
    "a line of exactly the limit is taken, a longer one is refused, and the connection goes on",
    arguments: ["\n", "\r\n"])
  func lineLength(ending: String) throws {
    let daemon = try Installation().start()
    let client = try daemon.device()
    func ping(bytes: Int) -> String {
      #"{"op":"ping""# + String(repeating: " ", count: bytes - 13) + "}" + ending
    }
    for (excess, code) in [(0, nil), (1, "line-too-long"), (2, "line-too-long"), (0, nil)] {
      try client.send(Array(ping(bytes: Self.lineBytesMax + excess).utf8))
      #expect(try client.next().errorCode == code)
    }
    try client.send(Array((ping(bytes: 1 << 20) + ping(bytes: 20)).utf8))
    #expect(try client.next().errorCode == "line-too-long")
    #expect(try client.next()["ok"]?.string == "ping")
  }

  @Test("a line without an end is refused once, and not kept")
  func endlessLine() throws {
    let daemon = try Installation().start()
    let client = try daemon.device()
    let before = try daemon.residentBytes
    let piece = [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)
    for _ in 0..<64 { try client.send(piece) }
    #expect(try client.next().errorCode == "line-too-long")
    #expect(try daemon.residentBytes - before < 3 << 20 || Sanitizer.isOn)
    try client.send(Array("\n{\"op\":\"ping\"}\n".utf8))
    #expect(try client.next()["ok"]?.string == "ping")
  }

  @Test("64 levels of nesting are taken and 65 are refused", arguments: ["[]", "{}"])
  func depth(brackets: String) throws {
    let daemon = try Installation().start()
    let client = try daemon.publisher()
    func content(levels: Int) -> String {
      brackets == "[]"
        ? String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        : String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)
    }
    // The request itself is the first level.
    _ = try client.order(
      #"{"op":"start","attributes-type":"T","content-state":\#(content(levels: 63))}"#)
    for levels in [64, 65, 4_000] {
      let answer = try client.ask(
        #"{"op":"start","attributes-type":"T","content-state":\#(content(levels: levels))}"#)
      #expect(answer.errorCode == "too-deep")
    }
    #expect(try client.order(#"{"op":"ping"}"#)["seq"]?.integer == 1)
  }

  @Test("noise on many connections harms nobody")
  func noise() throws {
    let daemon = try Installation().start("--loopback-role", "admin")
    let stayer = try daemon.device()
    let start = #"{"op":"start","id":"a","attributes-type":"T","content-state":{"a":[1,"é"]}}"#
    var random = SeededGenerator(seed: 1)
    for round in 0..<200 {
      var noise = Array((start + "\n" + start + "\n").utf8)
      for _ in 0...round {
        noise[random.below(noise.count)] = .random(in: 0...255, using: &random)
      }
      let client = try LineClient(port: daemon.port)
      try client.send(noise)
      client.endOutput()
      // Whatever it was, it is answered in JSON to the end, or the connection is closed.
      _ = try client.rest()
    }
    #expect(try stayer.order(#"{"op":"ping"}"#)["ok"] != nil)
    #expect(try daemon.stop() == .exited(0))
  }
}
