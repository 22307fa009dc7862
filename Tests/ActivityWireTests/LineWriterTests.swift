import ActivityCore
import Testing

@testable import ActivityWire

@Suite("Writing lines")
struct LineWriterTests {
  func line(_ write: (inout LineWriter) -> Void) -> String {
    String(decoding: LineWriter.lines(write), as: UTF8.self)
  }

  var activity: Activity { activity(id: "order \"1\"") }

  /// An active activity with everything.
  func activity(id: String) -> Activity {
    var activity = Activity(
      id: id, attributesType: "Delivery", contentState: JSONText(#"{"s":1.0}"#),
      watermark: Instant(microseconds: 1_800_000_000_500_000),
      startDate: Instant(seconds: 1_800_000_000), lifetime: .hours(8))
    activity.generation = 3
    activity.version = 4
    activity.seq = 5
    activity.attributes = JSONText(#"{"n":7}"#)
    activity.channels = ["c1", "c2"]
    activity.relevanceScore = 1.5
    activity.url = JSONText(#""app:\/\/o""#)
    activity.links = JSONText(#"[{"url":"u"}]"#)
    activity.source = Source(name: "s", priority: 2)
    activity.changedBy = "uid:0"
    activity.staleDate = Instant(seconds: 1_800_000_600)
    return activity
  }

  @Test(
    "instants have as many decimals as it takes",
    arguments: [
      (1_800_000_000_000_000, "1800000000"), (1_800_000_000_250_000, "1800000000.25"),
      (1_800_000_000_000_001, "1800000000.000001"), (100_000, "0.1"), (0, "0"),
      (-1_500_000, "-1.5"), (Int64.max, "9223372036854.775807"),
    ] as [(Int64, String)])
  func instants(_ microseconds: Int64, _ text: String) {
    #expect(line { $0.seconds(microseconds: microseconds) } == text)
  }

  @Test("integers are written whole", arguments: [0, 7, -7, 1 << 53, Int64.max, Int64.min])
  func integers(_ value: Int64) {
    #expect(line { $0.integer(value) } == "\(value)")
  }

  @Test(
    "numbers are the shortest that read back the same, without a useless .0",
    arguments: [
      (0, "0"), (75.5, "75.5"), (100, "100"), (-0.1, "-0.1"), (1e21, "1e+21"), (1e-7, "1e-07"),
      (-2.5e-300, "-2.5e-300"),
    ] as [(Double, String)])
  func doubles(_ value: Double, _ text: String) throws {
    #expect(line { $0.double(value) } == text)
    #expect(Double(text) == value)
    #expect(try scan("{\"n\":\(text)}").first?.kind == .number)
  }

  @Test("strings are escaped where JSON asks for it, and read back the same")
  func strings() throws {
    let text = "\"\\/\u{8}\n\r\t\u{0}\u{1f}\u{7f} é 日本 😀\u{2028}"
    let written = line { $0.string(text) }
    #expect(written == #""\"\\/\u0008\n\r\t\u0000\u001f"# + "\u{7f} é 日本 😀\u{2028}\"")
    #expect(try scan("{\"s\":\(written)}").first?.text == text)
  }

  @Test("the answer to a write tells what is on disk")
  func written() {
    let ref = JSONText("1.50")
    #expect(
      line {
        $0.written(
          "push", ref: ref, Told(activity), applied: true, devices: 2, ignored: ["sound"],
          replayed: true)
      } == #"{"ok":"push","ref":1.50,"id":"order \"1\"","generation":3,"version":4,"seq":5,"#
        + #""state":"active","outcome":"applied","devices":2,"stale-date":1800000600,"#
        + #""end-date":1800028800,"ignored":["sound"],"replayed":true}"# + "\n")
    var ended = activity
    ended.state = .ended
    ended.dismissalDate = Instant(seconds: 1_800_000_030)
    #expect(
      line { $0.written("end", ref: nil, Told(ended), applied: false, devices: 0) }
        == #"{"ok":"end","id":"order \"1\"","generation":3,"version":4,"seq":5,"state":"ended","#
        + #""outcome":"noop","devices":0,"dismissal-date":1800000030}"# + "\n")
  }

  @Test("a refusal tells what is known")
  func refused() {
    let refusal = Refusal(.versionConflict, "no \"7\"", key: "if-version", version: 4)
    #expect(
      line { $0.refused(refusal, op: "update", ref: JSONText("\"r\"")) }
        == #"{"error":"version-conflict","message":"no \"7\"","op":"update","ref":"r","#
        + #""key":"if-version","version":4,"retryable":false}"# + "\n")
    #expect(
      line { $0.refused(.limitReached(.actions, "m", retryAfter: .seconds(1)), op: nil, ref: nil) }
        == #"{"error":"limit-reached","message":"m (MaxActionsPerSecond)","retryable":true,"#
        + #""retry-after":1}"# + "\n")
    #expect(
      line { $0.refused(RequestError(refusal: Refusal(.badJSON, "m"))) }
        == #"{"error":"bad-json","message":"m","retryable":false}"# + "\n")
  }

  @Test("small answers have their keys in order")
  func small() {
    let ref = JSONText("7")
    let cursor = Cursor(epoch: "e0", seq: 9, hash: 0xab)
    var settings = Settings()
    settings.keepalive = 30
    settings.updatesPerHour = 60
    #expect(line { $0.done(.subscribe, ref: ref) } == "{\"ok\":\"subscribe\",\"ref\":7}\n")
    #expect(line { $0.done(.quit, ref: nil) } == "{\"ok\":\"quit\"}\n")
    #expect(
      line { $0.greeted(device: "d", role: .device, settings, ref: nil) }
        == #"{"ok":"hello","device":"d","role":"device","keepalive":30,"interval":0,"#
        + #""updates-per-hour":60,"activities-enabled":true,"surface":"private","reply":"all"}"#
        + "\n")
    #expect(
      line { $0.dismissed(id: "a", generation: 1, applied: true, ref: nil) }
        == #"{"ok":"dismiss","id":"a","generation":1,"outcome":"applied"}"# + "\n")
    #expect(
      line { $0.acted(Action(id: "a", actionID: "p", name: "n"), publishers: 2, ref: ref) }
        == #"{"ok":"action","ref":7,"id":"a","action-id":"p","publishers":2}"# + "\n")
    #expect(
      line { $0.pinged(now: Instant(seconds: 5), seq: 9, cursor: cursor, ref: nil) }
        == #"{"ok":"ping","now":5,"seq":9,"cursor":"e0:9:00000000000000ab"}"# + "\n")
    #expect(line { $0.listed(count: 0, after: nil, ref: nil) } == "{\"ok\":\"list\",\"count\":0}\n")
    #expect(
      line { $0.listed(count: 2, after: "b", ref: ref) }
        == #"{"ok":"list","ref":7,"count":2,"after":"b","more":true}"# + "\n")
  }

  @Test("an item tells everything, its writer only to who may know")
  func items() {
    let item =
      #"{"id":"order \"1\"","generation":3,"version":4,"seq":5,"state":"active","#
      + #""timestamp":1800000000.5,"relevance-score":1.5,"attributes-type":"Delivery","#
      + #""channels":["c1","c2"],"attributes":{"n":7},"content-state":{"s":1.0},"#
      + #""url":"app:\/\/o","links":[{"url":"u"}],"source":"s","source-priority":2,"#
      + #""start-date":1800000000,"stale-date":1800000600,"end-date":1800028800"#
    #expect(
      line { $0.listed(activity, tellsWriter: false, ref: JSONText("7")) }
        == #"{"activity":"# + item + #"},"ref":7}"# + "\n")
    let delivery = LineWriter.Delivery(subscribed: 3, current: 2, behind: 1)
    #expect(
      line { $0.got(activity, tellsWriter: true, delivery: delivery, ref: nil) }
        == #"{"ok":"get","activity":"# + item + #","by":"uid:0"},"#
        + #""delivery":{"subscribed":3,"current":2,"behind":1}}"# + "\n")
  }

  @Test("a tombstone keeps what isn't content")
  func tombstone() {
    var tombstone = activity
    tombstone.state = .dismissed
    tombstone.channels = []
    tombstone.dismissedAt = Instant(seconds: 1_800_000_700)
    tombstone.dueAt = Instant(seconds: 1_800_000_699)
    tombstone.reason = .ended
    #expect(
      line { $0.got(tombstone, tellsWriter: false, delivery: nil, ref: nil) }
        == #"{"ok":"get","activity":{"id":"order \"1\"","generation":3,"version":4,"seq":5,"#
        + #""state":"dismissed","timestamp":1800000000.5,"relevance-score":1.5,"#
        + #""attributes-type":"Delivery","start-date":1800000000,"dismissed-at":1800000700,"#
        + #""at":1800000699,"reason":"ended"}}"# + "\n")
  }

  @Test("help tells the table, the limits and the errors")
  func help() throws {
    #expect(
      line { $0.helped(nil, Limits(), ref: nil) }.hasPrefix(
        #"{"ok":"help","ops":["hello","start","update","#))
    #expect(
      line { $0.helped(.operation(.cancel), Limits(), ref: JSONText("1")) }
        == #"{"ok":"help","ref":1,"topic":"cancel","role":"publisher","#
        + #""keys":["op","ref","reply","idempotency-key","id","timestamp","if-version"],"#
        + #""example":"{\"op\":\"cancel\",\"id\":\"order-1\"}","#
        + #""text":"\#(Operation.cancel.text)"}"# + "\n")
    var limits = Limits()
    limits.staleAfterDefault = .seconds(90)
    let told = line { $0.helped(.limits, limits, ref: nil) }
    #expect(told.hasPrefix(#"{"ok":"help","topic":"limits","limits":{"MaxLineBytes":65536,"#))
    #expect(told.contains(#""DefaultStaleAfter":90,"RequireStaleDate":false,"#))
    let errors = try scan(line { $0.helped(.errors, limits, ref: nil) })
    #expect(errors.map(\.key) == ["ok", "topic", "errors"])
    for code in ErrorCode.allCases { #expect(errors[2].value.contains("\"\(code.rawValue)\":\"")) }
  }
}
