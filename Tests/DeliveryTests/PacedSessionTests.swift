import ActivityCore
import ActivityWire
import TestSupport
import Testing

@testable import ActivityDaemon

@Suite("A session with a pace")
struct PacedSessionTests {
  private let scene = Scene()
  private let publisher: SceneClient

  init() { publisher = scene.connect(.publisher) }

  @Test("is sent a twelfth of its updates at once, ends and alerts always, and the last state")
  func budget() throws {
    let device = try scene.subscriber(#"{"op":"hello","updates-per-hour":24}"#)
    publisher.publish("start", "a")
    publisher.publish("start", "b")
    for content in 1...5 { publisher.publish("update", "a", #","content-state":\#(content)"#) }
    #expect(try device.hear().told == ["start a 1", "start b 1", "update a 2", "update a 3"])
    publisher.publish("update", "a", #","content-state":6,"alert":"hear""#)
    publisher.publish("end", "b")
    #expect(try device.hear().told == ["update a 7", "end b 2"])
    publisher.publish("update", "a", #","content-state":7"#)
    scene.pass(seconds: 149)
    #expect(try device.hear().isEmpty)
    scene.pass(seconds: 2)
    #expect(try device.hear().told == ["update a 8"])
  }

  @Test("buys no updates by coming again")
  func reconnecting() throws {
    let hello = #"{"op":"hello","device":"d","updates-per-hour":12}"#
    let device = try scene.subscriber(hello)
    publisher.publish("start", "a")
    publisher.publish("update", "a", #","content-state":1"#)
    publisher.publish("update", "a", #","content-state":2"#)
    #expect(try device.hear().told == ["start a 1", "update a 2"])
    device.reset()
    let again = try scene.subscriber(hello)
    publisher.publish("update", "a", #","content-state":3"#)
    #expect(try again.hear().isEmpty)
    scene.pass(seconds: 301)
    #expect(try again.hear().told == ["update a 4"])
  }

  @Test("is sent a start when its interval is over, though it can't afford an update")
  func startWaitsForTheIntervalOnly() throws {
    let device = try scene.subscriber(#"{"op":"hello","updates-per-hour":1,"interval":10}"#)
    publisher.publish("start", "a")
    scene.pass(seconds: 11)
    publisher.publish("update", "a", #","content-state":1"#)
    publisher.publish("start", "b")
    #expect(try device.hear().told == ["start a 1", "update a 2"])
    scene.pass(seconds: 11)
    #expect(try device.hear().told == ["start b 1"])
  }

  @Test("keeps no more in memory however often what waits for the pace changes")
  func memory() throws {
    let device = try scene.subscriber(#"{"op":"hello","updates-per-hour":60}"#)
    for id in ["a", "b"] { publisher.publish("start", id) }
    for content in 1...600 {
      publisher.publish(
        "update", content.isMultiple(of: 2) ? "a" : "b", #","content-state":\#(content)"#)
    }
    #expect(device.session.remainder?.dirtyCount == 2)
    #expect(device.session.remainder?.paced.placeCount ?? 0 <= 32)
    scene.pass(seconds: 130)
    let lines = try device.hear()
    expect(Set(lines.suffix(2).map { $0["content-state"]?.raw }) == ["599", "600"])
  }
}
