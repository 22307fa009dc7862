import ActivityClient
import TestSupport
import Testing

@testable import activityctl

@Suite("record and replay") struct RecordTests {
  private func writes(
    _ lines: [String], speed: Double = 1, prefix: String = "", channels: [String]? = nil
  ) throws -> [String] {
    var replay = Replay(speed: speed, prefix: prefix)
    replay.channels = channels
    return try lines.flatMap { line in
      let event = try #require(JSONObject(text: line).flatMap { RecordedEvent($0) })
      return replay.writes(for: event).map { "\($0.operation) \($0.keys.text)" }
    }
  }

  private func event(_ name: String, _ more: String, received: Int = 100) -> String {
    #"{"received":\#(received),"event":"\#(name)","id":"a","generation":1,\#(more)}"#
  }

  private var start: String {
    event(
      "start",
      #""state":"active","attributes-type":"T","attributes":{"k":1.0},"content-state":{"n":1}"#)
  }

  @Test("a start brings everything; its deadlines are as far ahead as they were")
  func starting() throws {
    let line = event(
      "start",
      #""state":"active","relevance-score":2,"attributes-type":"T","channels":["x"],"#
        + #""attributes":{"k":1.0},"content-state":[1],"url":"u","stale-date":160,"#
        + #""end-date":28900,"alert":"hi","cursor":"e:1:0""#)
    #expect(
      try writes([line], speed: 10, prefix: "again-") == [
        #"start {"id":"again-a","attributes-type":"T","attributes":{"k":1.0},"channels":["x"],"#
          + #""content-state":[1],"relevance-score":2,"url":"u","if-exists":"replace","#
          + #""lifetime":2880,"stale-after":6,"alert":"hi"}"#
      ])
    #expect(try writes([line], channels: ["y"])[0].contains(#""channels":["y"]"#))
  }

  @Test("a date that no deadline reaches stays a number")
  func farAhead() throws {
    let line = event(
      "start",
      #""state":"active","attributes-type":"T","content-state":1,"stale-date":1e308,"#
        + #""end-date":1e308"#)
    #expect(
      try writes([line], speed: 0.001) == [
        #"start {"id":"a","attributes-type":"T","content-state":1,"if-exists":"replace","#
          + #""lifetime":43200,"stale-after":1000000000}"#
      ])
  }

  @Test("what an event leaves out is taken away")
  func updating() throws {
    let withURL = event("update", #""state":"active","content-state":{"n":2},"url":"u""#)
    let without = event("update", #""state":"active","content-state":{"n":3}"#)
    #expect(
      try writes([start, withURL, without, without]).dropFirst() == [
        #"update {"id":"a","content-state":{"n":2},"url":"u"}"#,
        #"update {"id":"a","content-state":{"n":3},"url":null}"#,
        #"update {"id":"a","content-state":{"n":3}}"#,
      ])
  }

  @Test("what deadlines did isn't published, but what came with it is")
  func deadlines() throws {
    let stale = event("stale", #""state":"stale","content-state":{"n":1},"at":99"#)
    let news = event("stale", #""state":"stale","content-state":{"n":2},"at":99"#)
    let over = event(
      "end", #""state":"ended","content-state":{"n":2},"at":99,"reason":"lifetime""#)
    let gone = event("dismiss", #""state":"dismissed","at":99,"reason":"ended""#)
    #expect(
      try writes([start, stale, news, over, gone]).dropFirst() == [
        #"update {"id":"a","content-state":{"n":2},"stale-after":0}"#
      ])
  }

  @Test("it ends as it did")
  func ending() throws {
    let end = event("end", #""state":"ended","content-state":{"n":2},"dismissal-date":130"#)
    #expect(
      try writes([start, end], speed: 2).last
        == #"end {"id":"a","content-state":{"n":2},"dismissal-after":15}"#)
    for (reason, write) in [
      ("ended", #"end {"id":"a","dismissal":"immediate"}"#), ("cancelled", #"cancel {"id":"a"}"#),
      ("device", #"cancel {"id":"a"}"#), ("gone", #"cancel {"id":"a"}"#),
    ] {
      #expect(try writes([start, event("dismiss", #""reason":"\#(reason)""#)]).last == write)
    }
    for reason in ["replaced", "unsubscribed", "disabled", "dismissed"] {
      #expect(try writes([start, event("dismiss", #""reason":"\#(reason)""#)]).count == 1)
    }
  }

  @Test(
    "what is in the middle of its life when the recording begins is made so; else it is left out")
  func beginning() throws {
    let ended = event(
      "start",
      #""state":"ended","attributes-type":"T","content-state":1,"dismissal-date":110"#)
    #expect(
      try writes([ended]) == [
        #"start {"id":"a","attributes-type":"T","content-state":1,"if-exists":"replace"}"#,
        #"end {"id":"a","content-state":1,"dismissal-after":10}"#,
      ])
    #expect(try writes([event("update", #""content-state":1"#)]).isEmpty)
    #expect(RecordedEvent(["event": "ping", "now": 1]) == nil)
  }

  @Test("what was recorded is seen again")
  func round() throws {
    let control = try Control()
    let file = control.daemon.directory.file("record.ndjson")
    try control.succeed("activityctl start --id before --type T --state n=1 --channel x")
    _ = try control.run(
      "\(Control.executable) record \(file) --channel x >\(file).said 2>&1 & echo $! >\(file).pid")
    try control.succeed("while ! grep -qs before \(file); do sleep 0.05; done")
    try control.succeed(
      """
      activityctl start --id a --type T --state n=1 --channel x --attributes k=1.0
      activityctl start --id elsewhere --type T --state n=1
      activityctl update --id a --state n=2 s=👨‍🍳 --relevance 3 --alert hi
      activityctl end --id a --dismissal-after 1h
      activityctl cancel --id before
      while ! grep -qs cancelled \(file); do sleep 0.05; done
      kill -INT $(cat \(file).pid); while [ ! -s \(file).said ]; do sleep 0.05; done
      """)
    #expect(try Files.read("\(file).said") == "5 events recorded\n")
    let lines = try Files.read(file).split(separator: "\n").map { try JSONLine($0) }
    #expect(lines.map { $0["event"]?.string } == ["start", "start", "update", "end", "dismiss"])
    #expect(lines.allSatisfy { $0.members.first?.key == "received" })
    #expect(try control.run("activityctl record \(file)").status == 73)

    let said = try control.succeed("activityctl replay \(file) --speed 100 --id-prefix again-")
    #expect(said.count == 5)
    let again = try control.json("activityctl get --id again-a")["activity"]?.object
    #expect(again?["state"]?.string == "ended")
    #expect(again?["attributes"]?.raw == #"{"k":1.0}"#)
    #expect(again?["content-state"]?.raw == #"{"n":2,"s":"👨‍🍳"}"#)
    #expect(again?["relevance-score"]?.integer == 3)
    let ended = try #require(again?["timestamp"]?.number)
    let left = try #require(again?["dismissal-date"]?.number) - ended
    #expect((35.9...36.1).contains(left), "an hour, a hundred times as fast")
  }

  @Test("the pace is that of the recording")
  func pace() throws {
    let control = try Control()
    let file = control.daemon.directory.file("record.ndjson")
    let update = event("update", #""state":"active","content-state":{"n":2}"#, received: 103)
    try Files.write("\(start)\n\(update)\n", to: file)
    let began = ContinuousClock.now
    try control.succeed("activityctl replay \(file) --speed 2")
    #expect(began.duration(to: .now) >= .milliseconds(1_500))
    try Files.write("no json\n", to: file)
    #expect(try control.run("activityctl replay \(file)").status == 65)
    for speed in ["0", "1e-300", "1e300", "1e999"] {
      #expect(try control.run("activityctl replay \(file) --speed \(speed)").status == 64)
    }
    #expect(try control.run("activityctl replay \(file).not").status == 66)
  }

  @Test("of requests that are refused the others go on")
  func refusals() throws {
    let control = try Control()
    let line = start.split(separator: "\n").joined()
    let other =
      #"{"received":101,"event":"start","id":"b","attributes-type":"T","content-state":1}"#
    let result = try control.run(
      "printf '%s\\n' '\(line)' '\(other)' | activityctl replay - --id-prefix \"$(printf '\\a')\" --speed 9"
    )
    #expect(result.status == 1)
    #expect(result.errors.count { $0.contains("bad-value") } == 2)
    #expect(try control.succeed("echo '\(other)' | activityctl replay -").count == 1)
  }
}
