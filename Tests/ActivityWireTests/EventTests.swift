import ActivityCore
import Testing

@testable import ActivityWire

@Suite("Writing events")
struct EventTests {
  func line(_ write: (inout LineWriter) -> Void) -> String {
    String(decoding: LineWriter.lines(write), as: UTF8.self)
  }

  var activity: Activity { LineWriterTests().activity(id: "a") }

  let cursor = Cursor(epoch: "e0", seq: 9, hash: 0xab)
  let head = #""id":"a","generation":3,"version":4,"seq":5,"state":"#

  @Test(
    "an event is named for the newest state, or start if it is new",
    arguments: [
      (.active, true, .update), (.stale, true, .stale), (.ended, true, .end),
      (.dismissed, true, .dismiss), (.active, false, .start), (.stale, false, .start),
      (.ended, false, .start), (.dismissed, false, .dismiss),
    ] as [(State, Bool, ActivityEvent)])
  func names(_ state: State, _ isKnown: Bool, _ event: ActivityEvent) {
    #expect(ActivityEvent(state, isKnown: isKnown) == event)
  }

  @Test("a start holds everything")
  func start() {
    let alert = Alert(
      content: JSONText(#"{"title":"t"}"#), version: 4, seq: 5, at: Instant(seconds: 1))
    #expect(
      line {
        $0.beginEvent(.start, activity, alert: alert)
        $0.endEvent(cursor: cursor)
      } == #"{"event":"start","# + head + #""active","timestamp":1800000000.5,"#
        + #""relevance-score":1.5,"attributes-type":"Delivery","channels":["c1","c2"],"#
        + #""attributes":{"n":7},"content-state":{"s":1.0},"url":"app:\/\/o","#
        + #""links":[{"url":"u"}],"start-date":1800000000,"stale-date":1800000600,"#
        + #""end-date":1800028800,"alert":{"title":"t"},"alert-version":4,"#
        + #""cursor":"e0:9:00000000000000ab"}"# + "\n")
  }

  @Test("an update holds what changes, and the deadlines ahead")
  func update() {
    var stale = activity
    stale.state = .stale
    stale.dueAt = stale.staleDate
    stale.url = nil
    stale.links = nil
    #expect(
      line {
        $0.beginEvent(.stale, stale)
        $0.endEvent()
      } == #"{"event":"stale","# + head + #""stale","timestamp":1800000000.5,"#
        + #""relevance-score":1.5,"content-state":{"s":1.0},"end-date":1800028800,"#
        + #""at":1800000600}"# + "\n")
    var ended = activity
    ended.state = .ended
    ended.reason = .lifetime
    ended.dismissalDate = Instant(seconds: 1_800_043_200)
    #expect(
      line {
        $0.beginEvent(.end, ended)
        $0.endEvent()
      }.hasSuffix(
        #""links":[{"url":"u"}],"dismissal-date":1800043200,"reason":"lifetime"}"# + "\n"))
  }

  @Test("a dismissal holds its reason and no content")
  func dismiss() {
    var dismissed = activity
    dismissed.state = .dismissed
    dismissed.reason = .cancelled
    #expect(
      line {
        $0.beginEvent(.dismiss, dismissed)
        $0.endEvent(cursor: cursor)
      } == #"{"event":"dismiss","# + head + #""dismissed","timestamp":1800000000.5,"#
        + #""reason":"cancelled","cursor":"e0:9:00000000000000ab"}"# + "\n")
    #expect(
      line {
        $0.beginDismissal(of: activity, for: .unsubscribed)
        $0.endEvent()
      } == #"{"event":"dismiss","# + head + #""dismissed","reason":"unsubscribed"}"# + "\n")
  }

  @Test("a tail in a buffer of its own continues the shared part")
  func tail() {
    #expect(line { $0.endEvent() } == "}\n")
    #expect(line { $0.endEvent(cursor: cursor) } == ",\"cursor\":\"e0:9:00000000000000ab\"}\n")
  }

  @Test("lines follow each other in one buffer")
  func several() {
    #expect(
      line {
        $0.reset(.floor)
        $0.synced(cursor, count: 2)
        $0.removeAll()
        $0.ping(now: Instant(seconds: 5), cursor: nil)
        $0.ping(now: Instant(seconds: 6), cursor: cursor)
        $0.bye(.quit)
        $0.bye(.shuttingDown, reconnectAfter: .seconds(5))
      } == #"{"event":"ping","now":5}"# + "\n"
        + #"{"event":"ping","now":6,"cursor":"e0:9:00000000000000ab"}"# + "\n"
        + #"{"event":"bye","reason":"quit"}"# + "\n"
        + #"{"event":"bye","reason":"shutting-down","reconnect-after":5}"# + "\n")
    #expect(
      line { $0.synced(cursor, count: 2) }
        == #"{"event":"synced","cursor":"e0:9:00000000000000ab","count":2}"# + "\n")
    #expect(line { $0.reset(.enabled) } == #"{"event":"reset","reason":"enabled"}"# + "\n")
  }

  @Test("publishers hear of actions and dismissals")
  func feedback() {
    let action = Action(
      id: "a", actionID: "p", name: "tip", payload: JSONText(#"{"tip":2.50}"#))
    #expect(
      line { $0.action(action, generation: 1, version: 2, device: "d") }
        == #"{"event":"action","id":"a","generation":1,"version":2,"action-id":"p","#
        + #""name":"tip","payload":{"tip":2.50},"device":"d"}"# + "\n")
    #expect(
      line { $0.dismissalFeedback(device: "d", id: "a", generation: 1, version: 2) }
        == #"{"event":"feedback","what":"dismissed","device":"d","id":"a","generation":1,"#
        + #""version":2}"# + "\n")
  }

  @Test("the banner has 256 bytes at most")
  func welcome() {
    var banner = Banner(
      version: "0.1.0", epoch: "e0", seq: 9, now: Instant(seconds: 5), role: .device,
      lineBytesMax: 65_536)
    #expect(
      line { $0.welcome(banner) }
        == #"{"event":"welcome","server":"activityd","version":"0.1.0","protocol":1,"epoch":"e0","#
        + #""seq":9,"now":5,"role":"device","line-bytes-max":65536}"# + "\n")
    banner.version = "1000.1000.1000"
    banner.epoch = "0123456789ab"
    banner.seq = 1 << 53
    banner.now = Instant(microseconds: 99_999_999_999_999_999)
    banner.role = .publisher
    banner.lineBytesMax = 1 << 28
    banner.timeScale = 1_000_000
    #expect(line { $0.welcome(banner) }.utf8.count <= 256)
  }

  @Test("no start line of the default limits is above 8,192 bytes, less what its content takes")
  func longest() {
    // Everything that is neither name nor content, at its longest.
    var activity = self.activity
    let instant = Instant(microseconds: 99_999_999_999_999_999)
    activity.generation = 1 << 53
    activity.version = 1 << 53
    activity.seq = 1 << 53
    activity.relevanceScore = -2.225_073_858_507_201_4e-308
    activity.watermark = instant
    activity.startDate = instant
    activity.staleDate = instant
    activity.dueAt = instant
    activity.reason = .longestName
    activity.state = .dismissed
    let alert = Alert(content: JSONText("0"), version: 1 << 53, seq: 0, at: instant)
    let longest = line {
      $0.beginEvent(.start, activity, alert: alert)
      $0.endEvent(cursor: Cursor(epoch: "0123456789abcdef", seq: 1 << 53, hash: .max))
    }
    #expect(longest.utf8.count <= 720)
  }
}

extension Reason {
  fileprivate static var longestName: Reason {
    allCases.max { $0.rawValue.utf8.count < $1.rawValue.utf8.count } ?? .lifetime
  }
}

@Suite("Cursors")
struct CursorTests {
  @Test("a cursor reads back as it was written")
  func roundTrip() {
    for cursor in [
      Cursor(epoch: "e", seq: 0, hash: 0), Cursor(epoch: "k3x9", seq: 1 << 53, hash: .max),
    ] {
      #expect(Cursor(cursor.text) == cursor)
    }
  }

  @Test(
    "anything else is no cursor",
    arguments: [
      "", "::", "e:1", "e:1:0", "e:01:0000000000000000", "e:-:0000000000000000",
      "e:1:000000000000000G", "e:1:00000000000000AB", "e:1:0000000000000000:",
    ])
  func malformed(_ text: String) {
    #expect(Cursor(text) == nil)
  }
}
