import TestSupport
import Testing

@Suite("Commands of publishers") struct WriteCommandTests {
  private let control: Control

  init() throws { control = try Control() }

  private func state(of id: String) throws -> JSONLine {
    try #require(try control.json("activityctl get --id \(id)")["activity"]?.object)
  }

  @Test("start says what became of it, and of what is there already")
  func start() throws {
    let line = "activityctl start --id a --type T --state status=preparing --stale-after 5m"
    #expect(
      try control.succeed(line) == ["a is active (version 1, 0 devices, stale in 5:00)"])
    #expect(try control.succeed(line)[0].hasPrefix("a was already active (version 1, "))
  }

  @Test("every flag of start sets its key")
  func flags() throws {
    try control.succeed(
      """
      activityctl start --id a --type Delivery --attributes shop=Cantina n=1 --channel x --channel y \
      --state status=onTheWay 'note=two words' eta=12 --state paid=true --relevance 2.5 \
      --stale-after 1h30m --lifetime 2h --url https://example.com --alert hi --source s \
      --source-priority 3 --priority 5
      """)
    let item = try state(of: "a")
    #expect(item["attributes-type"]?.string == "Delivery")
    #expect(item["attributes"]?.raw == #"{"shop":"Cantina","n":1}"#)
    #expect(item["channels"]?.raw == #"["x","y"]"#)
    #expect(
      item["content-state"]?.raw
        == #"{"status":"onTheWay","note":"two words","eta":12,"paid":true}"#)
    #expect(item["relevance-score"]?.number == 2.5)
    #expect(item["url"]?.string == "https://example.com")
    #expect(item["source"]?.string == "s")
    #expect(item["source-priority"]?.integer == 3)
    let start = try #require(item["start-date"]?.number)
    #expect(try #require(item["stale-date"]?.number) - start == 5_400)
    #expect(try #require(item["end-date"]?.number) - start == 7_200)
  }

  @Test("what is sensitive isn't shown in public")
  func sensitive() throws {
    try control.succeed(
      """
      activityctl start --id a --type T --state code=7 step=1 --sensitive content-state/code
      """)
    let see = { (surface: String) in
      try control.succeed("activityctl watch --json --surface \(surface) | head -n 1")[0]
    }
    #expect(try JSONLine(see("public"))["content-state"]?.raw == #"{"code":null,"step":1}"#)
    #expect(try JSONLine(see("private"))["content-state"]?.raw == #"{"code":7,"step":1}"#)
  }

  @Test("update replaces the content as a whole")
  func update() throws {
    try control.succeed("activityctl start --id a --type T --state x=1 y=2")
    try control.succeed("activityctl update --id a --state x=2")
    #expect(try state(of: "a")["content-state"]?.raw == #"{"x":2}"#)
    try control.succeed(#"activityctl update --id a --state-json '[1, "👨‍🍳"]'"#)
    #expect(try state(of: "a")["content-state"]?.raw == #"[1,"👨‍🍳"]"#)
  }

  @Test("an end can be seen for a while, or not at all")
  func end() throws {
    try control.succeed("activityctl start --id a --type T --state x=1")
    #expect(
      try control.succeed("activityctl end --id a --state x=2 --dismissal-after 90")
        == ["a is ended (version 2, 0 devices, gone in 1:30)"])
    try control.succeed("activityctl start --id b --type T --state x=1")
    #expect(try control.json("activityctl end --id b --now")["state"]?.string == "dismissed")
  }

  @Test("what is scheduled can be cancelled")
  func cancel() throws {
    #expect(
      try control.succeed("activityctl start --id a --type T --state x=1 --start-after 1h")
        == ["a is pending (version 1, 0 devices, starts in 1:00:00)"])
    #expect(
      try control.succeed("activityctl cancel --id a")
        == ["a is dismissed (version 2, 0 devices)"])
  }

  @Test("several are ended by channel, by type, or all")
  func several() throws {
    for (id, type, channel) in [("a", "T", "x"), ("b", "T", "y"), ("c", "U", "y")] {
      try control.succeed(
        "activityctl start --id \(id) --type \(type) --channel \(channel) --state n=1")
    }
    #expect(try control.succeed("activityctl end --channel x --now").count == 1)
    #expect(try control.succeed("activityctl cancel --type U").count == 1)
    #expect(try control.json("activityctl list")["id"]?.string == "b")
    #expect(try control.succeed("activityctl cancel --all").count == 1)
    #expect(try control.succeed("activityctl list") == ["no activities"])
  }

  @Test("a file for APNs is pushed, from the standard input too, as made now")
  func push() throws {
    let file = control.daemon.directory.file("saved.apns")
    try Files.write(
      """
      {"Simulator Target Bundle":"com.example.app",
       "aps":{"timestamp":1700000000,"event":"start","attributes-type":"T","attributes":{},
       "content-state":{"n":1},"alert":{"title":"t","body":"b"}}}
      """, to: file)
    let result = try control.run("activityctl push \(file) --id a --channel x")
    #expect(result.status == 0)
    #expect(result.output[0].hasPrefix("a is active (version 1, "))
    #expect(result.errors == ["activityctl: without effect: Simulator Target Bundle"])
    #expect(try #require(try state(of: "a")["timestamp"]?.number) > 1_700_000_000)
    let update = #"{"aps":{"event":"update","timestamp":1,"content-state":{"n":2}}}"#
    try control.succeed("echo '\(update)' | activityctl push - --id a")
    #expect(try state(of: "a")["content-state"]?.raw == #"{"n":2}"#)
    let late = try control.run("echo '\(update)' | activityctl push - --id a --keep-timestamp")
    #expect(late.status == 1)
    #expect(late.errors[0].hasPrefix("activityctl: out-of-order: "))
  }
}
