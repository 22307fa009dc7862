import ActivityCore
@testable import ActivityWire
import Testing

@Suite("APNs payloads")
struct PushTests {
  /// A push of this event, with further members of `aps` and beside it.
  func push(_ event: String, _ aps: String = "", beside: String = "") -> String {
    #"{"op":"push","id":"a","aps":{"event":"\#(event)"\#(aps)}\#(beside)}"#
  }

  let content = #","attributes-type":"T","content-state":{"s":1}"#

  @Test("a payload means what the plain request means")
  func same() throws {
    #expect(
      try write(
        #"{"op":"push","id":"a","aps":{"timestamp":1800000000,"event":"start","attributes-type":"T","attributes":{"n":1},"content-state":{"s":1},"stale-date":1800000300,"relevance-score":5,"alert":{"title":"t","body":"b"}},"channels":["c"],"if-exists":"replace","lifetime":60,"priority":5,"start-after":9,"source":"s"}"#
      )
        == write(
          #"{"op":"start","id":"a","timestamp":1800000000,"attributes-type":"T","attributes":{"n":1},"content-state":{"s":1},"stale-date":1800000300,"relevance-score":5,"alert":{"title":"t","body":"b"},"channels":["c"],"if-exists":"replace","lifetime":60,"priority":5,"start-after":9,"source":"s"}"#
        ))
    #expect(
      try write(
        push(
          "update", #","content-state":2,"stale-date":9,"alert":"x""#, beside: #","if-version":3"#))
        == write(
          #"{"op":"update","id":"a","content-state":2,"stale-date":9,"alert":"x","if-version":3}"#))
    #expect(
      try write(push("end", #","content-state":2,"dismissal-date":9"#))
        == write(#"{"op":"end","id":"a","content-state":2,"dismissal-date":9}"#))
  }

  @Test("the timestamp beside aps wins, the word now too")
  func timestamp() throws {
    let saved = #","timestamp":1600000000"#
    #expect(
      try command(push("update", saved, beside: #","timestamp":1800000000"#))
        == command(#"{"op":"update","id":"a","timestamp":1800000000}"#))
    #expect(
      try command(push("update", saved, beside: #","timestamp":"now""#))
        == command(#"{"op":"update","id":"a"}"#))
  }

  @Test("a start may leave its id to be made up, nothing else may")
  func id() throws {
    #expect(try write(#"{"op":"push","aps":{"event":"start"\#(content)}}"#).id == nil)
    #expect(refusal(#"{"op":"push","aps":{"event":"update"}}"#)?.key == "id")
  }

  @Test("what has no meaning is named, in the order of its appearance")
  func ignored() throws {
    let line =
      #"{"Simulator Target Bundle":"x","op":"push","id":"a","lifetime":5,"aps":{"sound":{},"event":"end","stale-date":0,"newKey":[],"relevance-score":1},"if-exists":"error","priority":5,"title":"x"}"#
    let end = try write(line)
    #expect(
      end.ignored == [
        "Simulator Target Bundle", "lifetime", "sound", "stale-date", "newKey",
        "relevance-score", "if-exists", "priority", "title",
      ])
    #expect(end.command == .end(End()))
    #expect(
      try write(push("update", #","dismissal-date":5,"attributes":{}"#)).ignored
        == ["dismissal-date", "attributes"])
    #expect(
      try write(push("start", content + #","input-push-token":1,"badge":1"#)).ignored
        == ["input-push-token", "badge"])
  }

  @Test("a misspelt or misplaced key is refused, not ignored")
  func misspelt() {
    for (line, key, meant) in [
      (push("update", #","content_state":1"#), "content_state", "content-state"),
      (push("update", #","contentState":1"#), "contentState", "content-state"),
      (push("update", #","stale-dat":1"#), "stale-dat", "stale-date"),
      (push("update", beside: #","channel":["x"]"#), "channel", "channels"),
      (push("update", beside: #","idd":1"#), "idd", "id"),
      (push("update", beside: #","content-state":1"#), "content-state", "belongs into aps"),
      (push("update", beside: #","alert":1"#), "alert", "belongs into aps"),
      (#"{"op":"push","id":"a","aps":{"Event":"update"}}"#, "Event", "event"),
    ] {
      let refusal = refusal(line)
      #expect(refusal?.code == .unknownKey)
      #expect(refusal?.key == key)
      #expect(refusal?.message.contains(meant) == true)
    }
  }

  @Test("more than 32 foreign keys are refused, inside of aps as beside it")
  func foreign() throws {
    func keys(_ count: Int) -> String {
      (0..<count).map { ",\"foreign-\($0)\":0" }.joined()
    }
    #expect(try write(push("end", keys(32), beside: keys(32))).ignored.count == 64)
    #expect(refusal(push("end", keys(33)))?.code == .unknownKey)
    #expect(refusal(push("end", beside: keys(33)))?.code == .unknownKey)
  }

  @Test("what is wrong inside aps is refused by its key")
  func wrong() {
    for (line, code, key) in [
      (#"{"op":"push","id":"a"}"#, .missingKey, "aps"),
      (#"{"op":"push","id":"a","aps":[]}"#, .badValue, "aps"),
      (#"{"op":"push","id":"a","aps":{}}"#, .missingKey, "event"),
      (push("begin"), .badValue, "event"),
      (push("update", #","event":"end""#), .duplicateKey, "event"),
      (push("start", #","content-state":1"#), .missingKey, "attributes-type"),
      (push("update", #","timestamp":1800000000123"#), .dateInMilliseconds, "timestamp"),
      (push("update", #","alert":{"titel":"x"}"#), .unknownKey, "titel"),
    ] as [(String, ErrorCode, String)] {
      let refusal = refusal(line)
      #expect(refusal?.code == code)
      #expect(refusal?.key == key)
    }
  }
}
