import ActivityCore
import ActivityWire
import TestSupport
import Testing

@testable import ActivityDaemon

/// What seeds of the simulation have found.
@Suite("A session among others that fail, or asleep for a day,")
struct FoundBySimulationTests {
  private let scene = Scene()
  private let publisher: SceneClient

  init() { publisher = scene.connect(.publisher) }

  private func start(_ id: String) {
    publisher.say(#"{"op":"start","id":"\#(id)","attributes-type":"T","content-state":0}"#)
  }

  @Test("is told of changes though writing to all others failed while it subscribed")
  func orphanedView() throws {
    let broken = try scene.subscriber()
    publisher.send(#"{"op":"start","id":"a","attributes-type":"T","content-state":0}"#)
    scene.commitsAtOnce = false
    scene.turn()
    scene.endCommit()
    broken.socket.bytesUntilFailure = 0
    let device = scene.connect()
    device.send(#"{"op":"subscribe","all":true}"#)
    scene.turn()
    scene.commitsAtOnce = true
    start("b")
    #expect(try device.hear().told == ["start a 1", "start b 1"])
  }

  @Test("begins anew if what it wasn't told of is forgotten")
  func forgottenUntold() throws {
    let device = try scene.subscriber()
    start("a")
    start("b")
    device.block()
    publisher.say(#"{"op":"cancel","id":"a"}"#)
    publisher.say(#"{"op":"update","id":"b","content-state":1}"#)
    publisher.say(#"{"op":"cancel","id":"b"}"#)
    scene.sleep(seconds: 25 * 3_600)
    start("c")
    device.unblock()
    let lines = try device.hear()
    #expect(lines.contains { $0["event"]?.string == "reset" && $0["reason"]?.string == "floor" })
    #expect(lines.contains { $0["event"]?.string == "synced" })
    #expect(lines.told.last == "start c 1")
  }

  @Test("keeps nothing of what came and went while it waited")
  func nothingIsKept() throws {
    let device = try scene.subscriber()
    device.block()
    start("wedge")
    for number in 0..<100 {
      start("passing-\(number)")
      publisher.say(#"{"op":"cancel","id":"passing-\#(number)"}"#)
    }
    #expect(device.session.remainder?.dirtyCount ?? 0 <= 1)
    device.unblock()
    #expect(try device.hear().told == ["start wedge 1"])
  }
}
