import ActivityCore
import ActivityWire
import TestSupport
import Testing

@testable import ActivityDaemon

@Suite("A peer that is silent, or doesn't read,")
struct SilenceTests {
  private let scene = Scene()
  private let publisher: SceneClient

  init() {
    publisher = scene.connect(.publisher)
    let filler = String(repeating: "x", count: 3_000)
    publisher.say(
      #"{"op":"start","id":"a","attributes-type":"T","content-state":"\#(filler)"}"#)
  }

  private func blocked() throws -> SceneClient {
    let device = try scene.subscriber()
    device.block(capacity: 100)
    publisher.say(
      #"{"op":"update","id":"a","content-state":"\#(String(repeating: "y", count: 3_000))"}"#)
    return device
  }

  @Test("is closed when it has taken nothing for a minute")
  func notReading() throws {
    let device = try blocked()
    scene.pass(seconds: 59)
    #expect(!device.isClosed)
    scene.pass(seconds: 3)
    #expect(device.isClosed)
  }

  @Test("is kept as long as it takes a byte now and then")
  func slow() throws {
    let device = try blocked()
    for _ in 0..<20 {
      scene.pass(seconds: 50)
      device.read(upTo: 1)
      #expect(!device.isClosed)
    }
    device.unblock()
    #expect(try device.hear().told == ["update a 2"])
  }

  @Test("is pinged after its keepalive, and told goodbye when two pings aren't answered")
  func keepalive() throws {
    let device = try scene.subscriber(#"{"op":"hello","keepalive":10}"#)
    scene.pass(seconds: 9)
    #expect(try device.hear().events.isEmpty)
    scene.pass(seconds: 2)
    #expect(try device.hear().events == ["ping"])
    device.say(#"{"op":"ping","reply":"errors"}"#)
    scene.pass(seconds: 25)
    #expect(try device.hear().events == ["ping", "ping"])
    scene.pass(seconds: 10)
    let lines = try device.hear()
    #expect(lines.events == ["bye"] && lines.first?["reason"]?.string == "no-answer")
  }

  @Test("is told the time, with a cursor, when the clock was set")
  func clock() throws {
    let device = try scene.subscriber()
    scene.clock.step(seconds: 3_600)
    scene.hub.clockWasSet()
    scene.turn()
    let lines = try device.hear()
    #expect(lines.events == ["ping"] && lines.cursors.count == 1)
  }

  @Test("is superseded by a newer connection of its device, with all it had coming")
  func takeover() throws {
    let older = try scene.subscriber(#"{"op":"hello","device":"d"}"#)
    publisher.send(#"{"op":"update","id":"a","content-state":1}"#)
    _ = try scene.subscriber(#"{"op":"hello","device":"d"}"#)
    let lines = try older.hear()
    #expect(lines.events == ["update", "bye"])
    #expect(lines.last?["reason"]?.string == "superseded")
  }
}
