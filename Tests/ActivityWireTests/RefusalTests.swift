import ActivityCore
import ActivityWire
import Testing

@Suite("Refusing requests")
struct RefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let line: String
    let code: ErrorCode
    let key: String?
    let told: String
    var testDescription: String { String(line.prefix(80)) }

    /// - Parameter told: a part of the message.
    init(_ line: String, _ code: ErrorCode, _ key: String? = nil, _ told: String = "") {
      self.line = line
      self.code = code
      self.key = key
      self.told = told
    }
  }

  static func start(_ members: String) -> String {
    #"{"op":"start","id":"a","attributes-type":"T","content-state":1,\#(members)}"#
  }

  static let long = String(repeating: "x", count: 129)

  static let lines = [
    Case("help", .badJSON, nil, #"{"op":"help"}"#),
    Case("null", .notAnObject, nil, "one JSON object"),
    Case("[{}]", .notAnObject, nil, "one JSON object"),
    Case("\"ping\"", .notAnObject),
    Case("-1", .notAnObject),
    Case(#"{"op":"ping""#, .badJSON, nil, "one request, one line"),
    Case(#"{"op":"ping"} {"#, .badJSON, nil, "at byte 14"),
    Case(#"{"op":"ping","ref":01}"#, .badJSON, nil, "at byte 19, where 01} stands"),
    Case("{\"op\":\"p\u{1}\"}", .badJSON, nil, "control character"),
    Case("", .badJSON),
    Case(#"{"op":"get","id":"# + String(repeating: "[", count: 99), .tooDeep, nil, "64 levels"),
  ]

  static let keys = [
    Case("{}", .missingKey, "op", #"{"op":"help"}"#),
    Case(#"{"op":5}"#, .badValue, "op", "it is 5"),
    Case(#"{"op":"strat"}"#, .unknownOp, "op", "did you mean start?"),
    Case(#"{"op":"frobnicate"}"#, .unknownOp, "op", #"{"op":"help"} lists them"#),
    Case(start(#""stale_after":60"#), .unknownKey, "stale_after", "did you mean stale-after?"),
    Case(start(#""contentState":1"#), .unknownKey, "contentState", "mean content-state?"),
    Case(start(#""cahnnels":["a"]"#), .unknownKey, "cahnnels", "mean channels?"),
    Case(start(#""colour":1"#), .unknownKey, "colour", "its keys are op, ref, reply,"),
    Case(start(#""dismissal":"default""#), .unknownKey, "dismissal", "start has no key"),
    Case(#"{"op":"ping","idempotency-key":"k"}"#, .unknownKey, "idempotency-key"),
    Case(#"{"op":"get","id":"a","\u0069d":"b"}"#, .duplicateKey, "id", "id is there twice"),
    Case(start(#""foo":1,"foo":2"#), .duplicateKey, "foo"),
    Case(start(#""alert":{"titel":"x"}"#), .unknownKey, "titel", "did you mean title?"),
    Case(start(#""alert":{"title":"x","title":"y"}"#), .duplicateKey, "title", "alert.title"),
    Case(#"{"op":"start","content-state":1}"#, .missingKey, "attributes-type"),
    Case(#"{"op":"start","attributes-type":"T"}"#, .missingKey, "content-state"),
    Case(#"{"op":"update"}"#, .missingKey, "id"),
    Case(#"{"op":"end"}"#, .missingKey, "id"),
    Case(#"{"op":"cancel"}"#, .missingKey, "id"),
    Case(#"{"op":"get"}"#, .missingKey, "id"),
    Case(#"{"op":"dismiss"}"#, .missingKey, "id"),
    Case(#"{"op":"action","id":"a","name":"n"}"#, .missingKey, "action-id"),
    Case(#"{"op":"action","id":"a","action-id":"n"}"#, .missingKey, "name"),
    Case(#"{"op":"subscribe"}"#, .missingKey, "channels", "ids, types or all"),
    Case(#"{"op":"unsubscribe"}"#, .missingKey, "channels"),
    Case(start(#""source-priority":1,"stale-after":1"#), .missingKey, "source", "above 0"),
  ]

  static let values = [
    Case(start(#""priority":7"#), .badValue, "priority", "priority must be 10 or 5; it is 7"),
    Case(start(#""priority":5.5"#), .badValue, "priority"),
    Case(start(#""priority":"10""#), .badValue, "priority"),
    Case(start(#""relevance-score":1e999"#), .badValue, "relevance-score", "finite"),
    Case(start(#""relevance-score":"high""#), .badValue, "relevance-score"),
    Case(start(#""attributes":[]"#), .badValue, "attributes", "must be an object; it is []"),
    Case(start(#""channels":"x""#), .badValue, "channels", "1 to 16 names"),
    Case(start(#""channels":[]"#), .badValue, "channels"),
    Case(start(#""channels":["x",1]"#), .badValue, "channels"),
    Case(start(#""channels":["\#(long)"]"#), .badValue, "channels", "128 bytes"),
    Case(start(#""if-exists":"merge""#), .badValue, "if-exists", #""error", "update", "replace""#),
    Case(start(#""lifetime":0"#), .badValue, "lifetime", "at most 43200; it is 0"),
    Case(start(#""lifetime":43200.000001"#), .badValue, "lifetime"),
    Case(start(#""source":"s","source-priority":-1"#), .badValue, "source-priority"),
    Case(start(#""source":"s","source-priority":1000001"#), .badValue, "source-priority"),
    Case(start(#""url":null"#), .badValue, "url", "1 to 1024 bytes; it is null"),
    Case(start(#""url":"""#), .badValue, "url"),
    Case(start(#""url":"\#(String(repeating: "é", count: 513))""#), .badValue, "url"),
    Case(start(#""links":[]"#), .badValue, "links", "1 to 8 objects"),
    Case(start(#""links":[1]"#), .badValue, "links"),
    Case(start(#""links":[{"name":"n"}]"#), .missingKey, "url", "links[0].url"),
    Case(start(#""links":[{"url":"u"},{"url":1}]"#), .badValue, "url", "links[1].url"),
    Case(start(#""links":[{"url":"u","icon":"i"}]"#), .unknownKey, "icon"),
    Case(start(#""alert":1"#), .badValue, "alert"),
    Case(start(#""alert":null"#), .badValue, "alert"),
    Case(start(#""alert":"\#(String(repeating: "x", count: 1_023))""#), .badValue, "alert", "1024"),
    Case(start(#""alert":{"title":1}"#), .badValue, "title"),
    Case(start(#""alert":{"loc-args":"x"}"#), .badValue, "loc-args"),
    Case(start(#""alert":{"sound":{}}"#), .badValue, "sound"),
    Case(#"{"op":"get","id":""}"#, .badValue, "id", "1 to 128 bytes"),
    Case(#"{"op":"get","id":"\#(long)"}"#, .badValue, "id", "(131 bytes)"),
    Case(#"{"op":"get","id":"tab\there"}"#, .badValue, "id", "control characters"),
    Case(#"{"op":"get","id":"\u007f"}"#, .badValue, "id"),
    Case(#"{"op":"get","id":"\u0085"}"#, .badValue, "id"),
    Case(#"{"op":"get","id":7}"#, .badValue, "id", "it is 7"),
    Case(#"{"op":"get","id":"a","delivery":1}"#, .badValue, "delivery", "true or false"),
    Case(#"{"op":"get","id":"a","ref":[1]}"#, .badValue, "ref"),
    Case(#"{"op":"get","id":"a","ref":"\#(long)"}"#, .badValue, "ref"),
    Case(#"{"op":"get","id":"a","ref":1\#(String(repeating: "0", count: 128))}"#, .badValue, "ref"),
    Case(#"{"op":"get","id":"a","reply":"none"}"#, .badValue, "reply"),
    Case(#"{"op":"update","id":"a","if-version":-1}"#, .badValue, "if-version"),
    Case(#"{"op":"update","id":"a","if-version":1.5}"#, .badValue, "if-version"),
    Case(#"{"op":"end","id":"a","dismissal":"soon"}"#, .badValue, "dismissal"),
    Case(
      #"{"op":"end","id":"a","dismissal":"default","dismissal-after":1}"#, .badValue,
      "dismissal-after", "exclude each other"),
    Case(#"{"op":"list","states":["gone"]}"#, .badValue, "states", "pending, active"),
    Case(#"{"op":"list","limit":0}"#, .badValue, "limit"),
    Case(#"{"op":"subscribe","all":false}"#, .badValue, "all"),
    Case(#"{"op":"subscribe","all":true,"since":"yesterday"}"#, .badValue, "since"),
    Case(#"{"op":"subscribe","all":true,"since":"e:1:ab"}"#, .badValue, "since"),
    Case(#"{"op":"hello","keepalive":5}"#, .badValue, "keepalive", "10 to 3600, or 0"),
    Case(#"{"op":"hello","keepalive":3601}"#, .badValue, "keepalive"),
    Case(#"{"op":"hello","interval":-0.1}"#, .badValue, "interval"),
    Case(#"{"op":"hello","updates-per-hour":0}"#, .badValue, "updates-per-hour"),
    Case(#"{"op":"hello","surface":"table"}"#, .badValue, "surface"),
    Case(#"{"op":"help","topic":"weather"}"#, .badValue, "topic", "limits, errors or an op"),
    Case(
      #"{"op":"action","id":"a","action-id":"p","name":"n","payload":"\#(String(repeating: "x", count: 4_095))"}"#,
      .payloadTooLarge, "payload", "4096 bytes"),
  ]

  static let dates = [
    Case(start(#""timestamp":1800000000123"#), .dateInMilliseconds, "timestamp", "seconds"),
    Case(start(#""stale-date":100000000000"#), .dateInMilliseconds, "stale-date"),
    Case(start(#""start-date":1e300"#), .dateInMilliseconds, "start-date"),
    Case(start(#""stale-date":0"#), .badValue, "stale-date"),
    Case(start(#""stale-date":-1e300"#), .badValue, "stale-date"),
    Case(start(#""stale-date":null"#), .badValue, "stale-date"),
    Case(start(#""stale-date":"2027-01-15T09:00:00Z""#), .badValue, "stale-date", "since 1970"),
    Case(start(#""stale-after":-1"#), .badValue, "stale-after", "0 or more; it is -1"),
    Case(start(#""stale-after":1e12"#), .badValue, "stale-after"),
    Case(start(#""stale-date":1800000300,"stale-after":300"#), .badValue, "stale-after", "exclude"),
    Case(start(#""start-date":1800000300,"start-after":3"#), .badValue, "start-after"),
    Case(start(#""timestamp":"then""#), .badValue, "timestamp", #"or "now""#),
  ]

  @Test("a line that is no request is answered by a lesson", arguments: lines)
  func line(_ example: Case) { check(example) }

  @Test("a key that is unknown, misspelt, duplicate or missing is named", arguments: keys)
  func key(_ example: Case) { check(example) }

  @Test("a value of the wrong type or out of range is named with its limit", arguments: values)
  func value(_ example: Case) { check(example) }

  @Test("a date that can't be meant is refused by name", arguments: dates)
  func date(_ example: Case) { check(example) }

  func check(_ example: Case) {
    let refusal = refusal(example.line)
    #expect(refusal?.code == example.code)
    #expect(refusal?.key == example.key)
    let message = refusal?.message ?? "accepted"
    #expect(example.told.isEmpty || message.contains(example.told), "\(message)")
  }

  @Test("a limit itself is accepted")
  func limits() throws {
    let name = String(repeating: "x", count: 128)
    _ = try read(#"{"op":"get","id":"\#(name)","ref":"\#(name)"}"#)
    _ = try read(Self.start(#""url":"\#(String(repeating: "é", count: 512))""#))
    _ = try read(Self.start(#""alert":"\#(String(repeating: "x", count: 1_022))""#))
    _ = try read(Self.start(#""lifetime":43200,"source":"s","source-priority":1000000"#))
    let sixteen = (1...16).map { "\"\($0)\"" }.joined(separator: ",")
    _ = try read(Self.start(#""channels":[\#(sixteen),"1"]"#))
    let keys = (1...1_024).map { "\"\($0)\"" }.joined(separator: ",")
    _ = try read(#"{"op":"subscribe","ids":[\#(keys)]}"#)
    #expect(refusal(#"{"op":"subscribe","ids":[\#(keys)],"types":["T"]}"#)?.code == .limitReached)
  }

  @Test("op and ref are told with the refusal, where they could be read")
  func context() {
    func error(_ line: String) -> RequestError? {
      do { _ = try read(line) } catch { return error }
      return nil
    }
    var known = error(#"{"nope":1,"ref":"r","op":"get"}"#)
    #expect(known?.op == "get")
    #expect(known?.ref == JSONText("\"r\""))
    known = error(#"{"op":"gte","ref":7}"#)
    #expect(known?.op == "gte")
    #expect(known?.ref == JSONText("7"))
    #expect(error(#"{"op":"get","ref":{}}"#)?.ref == nil)
    #expect(error("get")?.op == nil)
  }

  @Test("a line above the limit is told with it")
  func tooLong() {
    let refusal = Refusal.lineTooLong(bytesMax: 4_096)
    #expect(refusal.code == .lineTooLong)
    #expect(refusal.message.contains("4096"))
  }
}
