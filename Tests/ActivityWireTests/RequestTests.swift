import ActivityCore
@testable import ActivityWire
import Testing

@Suite("Reading requests")
struct RequestTests {
  @Test("a start has every key where it belongs")
  func start() throws {
    var expected = Start(attributesType: "Delivery", contentState: JSONText(#"{"s":1.0}"#))
    expected.attributes = JSONText(#"{"n":"7"}"#)
    expected.channels = ["match-1", "all"]
    expected.relevanceScore = 75.5
    expected.priority = .low
    expected.stale = .after(.seconds(600))
    expected.start = .at(Instant(seconds: 1_800_000_100))
    expected.lifetime = .seconds(3_600)
    expected.alert = JSONText(#"{"title":"T","body":{"loc-key":"K","loc-args":["a"]}}"#)
    expected.url = JSONText(#""app:\/\/o""#)
    expected.links = JSONText(#"[{"name":"call","title":"Call","url":"tel:1"}]"#)
    expected.timestamp = Timestamp(instant: Instant(seconds: 1_800_000_000), isWholeSecond: true)
    expected.ifExists = .update
    expected.source = Source(name: "kitchen", priority: 3)
    let write = try write(
      #"""
      {"op":"start", "id":"order-1", "attributes-type":"Delivery", "attributes":{ "n" : "7" },
       "content-state":{"s": 1.0}, "channels":["match-1","all","match-1"], "relevance-score":75.5,
       "priority":5, "stale-after":600, "start-date":1800000100, "lifetime":3600,
       "alert":{"title":"T","body":{"loc-key":"K","loc-args":["a"]}}, "url":"app:\/\/o",
       "links":[{"name":"call","title":"Call","url":"tel:1"}], "timestamp":1800000000,
       "if-exists":"update", "source":"kitchen", "source-priority":3}
      """#)
    #expect(write == Write(id: "order-1", command: .start(expected)))
  }

  @Test("a start needs no more than a type and a content-state; the id is made up")
  func shortStart() throws {
    let write = try write(#"{"op":"start","attributes-type":"T","content-state":null}"#)
    let start = Start(attributesType: "T", contentState: JSONText("null"))
    #expect(write == Write(id: nil, command: .start(start)))
  }

  @Test("an update tells keeping, removing and setting apart")
  func update() throws {
    var expected = Update()
    #expect(try command(#"{"op":"update","id":"a"}"#) == .update(expected))
    expected.url = .remove
    expected.links = .remove
    expected.ifVersion = 7
    expected.stale = .at(Instant(microseconds: 1_800_000_000_250_000))
    #expect(
      try command(
        #"{"op":"update","id":"a","url":null,"links":null,"if-version":7,"stale-date":1800000000.25}"#
      )
        == .update(expected))
    expected = Update()
    expected.url = .set(JSONText(#""u""#))
    expected.contentState = JSONText("[]")
    expected.alert = JSONText(#""Goal!""#)
    #expect(
      try command(#"{"op":"update","id":"a","url":"u","content-state":[],"alert":"Goal!"}"#)
        == .update(expected))
  }

  @Test(
    "an end names its dismissal in one of several ways",
    arguments: [
      ("", nil), (#","dismissal":"default""#, .byDefault),
      (#","dismissal":"immediate""#, .immediate),
      (#","dismissal-date":1800000000"#, .when(.at(Instant(seconds: 1_800_000_000)))),
      (#","dismissal-after":0"#, .when(.after(.seconds(0)))),
    ] as [(String, Dismissal?)])
  func end(_ keys: String, _ dismissal: Dismissal?) throws {
    var expected = End()
    expected.dismissal = dismissal
    #expect(try command(#"{"op":"end","id":"a"\#(keys)}"#) == .end(expected))
  }

  @Test("a cancel has a timestamp and a version")
  func cancel() throws {
    var expected = Cancel()
    expected.timestamp = Timestamp(
      instant: Instant(microseconds: 1_800_000_000_500_000), isWholeSecond: false)
    expected.ifVersion = 0
    #expect(
      try command(#"{"op":"cancel","id":"a","timestamp":1800000000.5,"if-version":0}"#)
        == .cancel(expected))
  }

  @Test(
    "a timestamp is kept to the microsecond, however it is written",
    arguments: [
      ("1800000000", 1_800_000_000_000_000, true),
      ("1800000000.0", 1_800_000_000_000_000, false),
      ("1800000000.123456", 1_800_000_000_123_456, false),
      ("1800000000.1234564999", 1_800_000_000_123_456, false),
      ("1800000000.1234565", 1_800_000_000_123_457, false),
      ("18e8", 1_800_000_000_000_000, true),
      ("180000000000e-2", 1_800_000_000_000_000, true),
      ("0.0000018E+15", 1_800_000_000_000_000, false),
      ("1e-6", 1, true),
      ("99999999999.999999", 99_999_999_999_999_999, false),
    ] as [(String, Int64, Bool)])
  func timestamps(_ token: String, _ microseconds: Int64, _ isWholeSecond: Bool) throws {
    var expected = Cancel()
    expected.timestamp = Timestamp(
      instant: Instant(microseconds: microseconds), isWholeSecond: isWholeSecond)
    #expect(
      try command(#"{"op":"cancel","id":"a","timestamp":\#(token)}"#) == .cancel(expected))
  }

  @Test("the timestamp \"now\" is the same as none")
  func now() throws {
    #expect(
      try command(#"{"op":"cancel","id":"a","timestamp":"now"}"#) == .cancel(Cancel()))
  }

  @Test("requests that change nothing are understood")
  func others() throws {
    #expect(try body(#"{"op":"ping"}"#) == .ping)
    #expect(try body(#"{"op":"quit"}"#) == .quit)
    #expect(try body(#"{"op":"help"}"#) == .help(nil))
    #expect(try body(#"{"op":"help","topic":"push"}"#) == .help(.operation(.push)))
    #expect(try body(#"{"op":"help","topic":"errors"}"#) == .help(.errors))
    #expect(try body(#"{"op":"get","id":"a"}"#) == .get(id: "a", delivery: false))
    #expect(
      try body(#"{"op":"get","id":"a","delivery":true}"#) == .get(id: "a", delivery: true))
    #expect(
      try body(#"{"op":"dismiss","id":"a","everywhere":true}"#)
        == .dismiss(id: "a", everywhere: true))
    let action = Action(
      id: "a", actionID: "p1", name: "tip", payload: JSONText(#"{"tip":2.50}"#), ifVersion: 3)
    #expect(
      try body(
        #"{"op":"action","id":"a","action-id":"p1","name":"tip","payload":{"tip": 2.50},"if-version":3}"#
      ) == .action(action))
  }

  @Test("a list asks for everything but tombstones, unless it names states")
  func list() throws {
    let all: Set<State> = [.pending, .active, .stale, .ended]
    let everything = ListFilter(channels: nil, types: nil, states: all)
    #expect(try body(#"{"op":"list"}"#) == .list(List(filter: everything)))
    let filter = ListFilter(channels: ["c"], types: ["T", "U"], states: [.dismissed])
    #expect(
      try body(
        #"{"op":"list","channels":["c"],"types":["T","U","T"],"states":["dismissed"],"limit":2,"after":"b"}"#
      ) == .list(List(filter: filter, limit: 2, after: "b")))
  }

  @Test("a subscription has sets, a cursor, feedback and an end")
  func subscribe() throws {
    var interest = Interest()
    interest.channels = ["x"]
    interest.ids = ["a", "b"]
    interest.all = true
    let cursor = Cursor(epoch: "e0", seq: 12, hash: 0xab)
    #expect(
      try body(
        #"{"op":"subscribe","channels":["x"],"ids":["a","b"],"all":true,"since":"e0:12:00000000000000ab","follow":false}"#
      ) == .subscribe(Subscribe(interest: interest, since: cursor, follow: false)))
    #expect(
      try body(#"{"op":"subscribe","feedback":true}"#)
        == .subscribe(Subscribe(interest: Interest(), feedback: true)))
    interest.all = false
    interest.channels = []
    #expect(
      try body(#"{"op":"unsubscribe","ids":["b","a"]}"#)
        == .unsubscribe(Unsubscribe(interest: interest)))
  }

  @Test("a hello changes the settings that it names")
  func hello() throws {
    var settings = Settings()
    for line in [
      #"{"op":"hello","device":"d","token":"t","keepalive":30,"interval":0.5}"#,
      #"{"op":"hello","updates-per-hour":60,"activities-enabled":false,"surface":"public"}"#,
      #"{"op":"hello","reply":"errors","keepalive":0}"#,
    ] {
      guard case .hello(let hello) = try body(line) else {
        Issue.record("no hello")
        continue
      }
      settings.apply(hello)
    }
    var expected = Settings()
    expected.interval = TimeSpan(microseconds: 500_000)
    expected.updatesPerHour = 60
    expected.activitiesEnabled = false
    expected.surface = .public
    expected.reply = .errors
    #expect(settings == expected)
  }

  @Test("ref and reply come with any request, ref as it was sent")
  func common() throws {
    let request = try read(#"{"op":"ping","ref": "a\u00e9\"b" ,"reply":"errors"}"#)
    #expect(request.ref == JSONText(#""a\u00e9\"b""#))
    #expect(request.reply == .errors)
    #expect(request.operation == .ping)
    #expect(try read(#"{"op":"ping","ref":-1.50e3}"#).ref == JSONText("-1.50e3"))
    #expect(try read(#"{"op":"ping"}"#).reply == nil)
  }

  @Test("an idempotency-key knows the request again, whatever its ref and white space")
  func idempotency() throws {
    func idempotency(_ rest: String) throws -> Idempotency? {
      try read(#"{"op":"cancel","idempotency-key":"k",\#(rest)}"#).idempotency
    }
    let first = try idempotency(#""id":"a","ref":1"#)
    #expect(first?.key == "k")
    #expect(try idempotency(#""id" : "a" "#) == first)
    #expect(try idempotency(#""ref":"x","id":"a""#) == first)
    #expect(try idempotency(#""id":"b","ref":1"#) != first)
    #expect(try idempotency(#""id":"a","if-version":1"#) != first)
    #expect(try read(#"{"op":"cancel","id":"a"}"#).idempotency == nil)
  }

  @Test("what one operation knows is understood by no other", arguments: Operation.allCases)
  func keys(_ operation: Operation) throws {
    for key in Key.allCases where !operation.allKeys.contains(key) && operation != .push {
      let error = refusal(#"{"op":"\#(operation.rawValue)","\#(key.name)":1}"#)
      #expect(error?.code == .unknownKey)
      #expect(error?.key == key.name)
    }
    let example = try read(operation.example)
    #expect(example.operation == operation)
    #expect(!operation.text.isEmpty)
  }
}

// MARK: - What the tests of requests share

private let readerLimits = Limits()

func read(_ line: String) throws(RequestError) -> Request {
  try read(Array(line.utf8))
}

func read(_ line: [UInt8]) throws(RequestError) -> Request {
  try unsafe RequestReader(limits: readerLimits).read(line.span.bytes)
}

func body(_ line: String) throws(RequestError) -> Request.Body {
  try read(line).body
}

func write(_ line: String) throws -> Write {
  guard case .write(let write) = try body(line) else { throw NotAWrite() }
  return write
}

func command(_ line: String) throws -> Command {
  try write(line).command
}

struct NotAWrite: Error {}

/// Why a line is refused; nil if it isn't.
func refusal(_ line: String) -> Refusal? {
  do { _ = try read(line) } catch { return error.refusal }
  return nil
}
