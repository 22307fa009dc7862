import ActivityCore
import ActivityWire
import TestSupport
import Testing

@testable import ActivityDaemon

/// What is told of sessions that end.
@Suite("The log of sessions")
struct SessionLogTests {
  /// Lines as they are written.
  private final class Lines {
    var entries: [Log.Entry] = []

    func of(_ event: String) -> [[String: String]] {
      entries.filter { $0.event == event }.map { entry in
        Dictionary(uniqueKeysWithValues: entry.fields.map { ($0.name, $0.value) })
      }
    }
  }

  private let lines = Lines()

  private func makeScene() -> Scene {
    let scene = Scene()
    scene.hub.log = Log { [lines] in lines.entries.append($0) }
    return scene
  }

  private let hello = #"{"op":"hello","device":"anas-phone"}"#

  private func start(_ count: Int, in scene: Scene) {
    let publisher = scene.connect(.publisher)
    for number in 0..<count {
      publisher.say(
        #"{"op":"start","id":"\#(number)","attributes-type":"T","content-state":"secret"}"#)
    }
  }

  @Test("one that is lost is told of with how long it lived and what it lacked")
  func lost() throws {
    let scene = makeScene()
    let device = try scene.subscriber(hello)
    scene.pass(seconds: 90)
    device.block()
    start(7, in: scene)
    device.reset()
    let line = try #require(lines.of("session-closed").first)
    #expect(line["device"] == "anas-phone")
    #expect(line["lived"] == "90.0s")
    #expect(line["reason"] == "lost")
    // The first is on its way in the socket.
    #expect(line["waiting"] == "6")
  }

  @Test("one that says goodbye, or is superseded, is told of with that reason")
  func reasons() throws {
    let scene = makeScene()
    let first = try scene.subscriber(hello)
    let second = try scene.subscriber(hello)
    #expect(first.session.isFinishing)
    second.say(#"{"op":"quit"}"#)
    first.endOutput()
    second.endOutput()
    scene.pass(seconds: 3)
    #expect(lines.of("session-closed").map { $0["reason"] } == ["superseded", "quit"])
    #expect(lines.of("session-closed").allSatisfy { $0["waiting"] == "0" })
    #expect(lines.of("superseded").count == 1)
  }

  @Test("one that reads nothing is dropped with one line, and what it lacked")
  func notReading() throws {
    let scene = makeScene()
    let device = try scene.subscriber(hello)
    device.block()
    start(3, in: scene)
    scene.pass(seconds: 70)
    let line = try #require(lines.of("session-dropped").first)
    #expect(line["reason"] == "not-reading")
    #expect(line["waiting"] == "2")
    #expect(lines.of("session-dropped").count == 1)
    #expect(lines.of("session-closed").map { $0["reason"] } == ["not-reading"])
  }

  @Test("one peer that comes and goes causes five lines a second, and a count of the rest")
  func flood() throws {
    let scene = makeScene()
    for _ in 0..<40 {
      let device = scene.connect()
      device.say(hello)
      device.reset()
    }
    scene.pass(seconds: 1)
    #expect(lines.of("session-closed").count == 5)
    let held = lines.of("lines-held-back").filter { $0["of"] == "session-closed" }
    #expect(held.map { $0["count"] } == ["35"])
  }

  @Test("no line tells content")
  func content() throws {
    let scene = makeScene()
    let device = try scene.subscriber(hello)
    start(3, in: scene)
    device.say("secret")
    device.say(#"{"op":"secret","secret":"secret"}"#)
    device.reset()
    #expect(!lines.entries.isEmpty)
    #expect(lines.entries.allSatisfy { !$0.text.contains("secret") })
  }
}
