import ActivityCore
import ActivityStore
import ActivityWire
import TestSupport
import Testing

@testable import ActivityDaemon

/// Writing to a session may fail at any moment, also amid what is done for others.
@Suite("A session whose writes fail")
struct WriteFailureTests {
  private let scene = Scene()
  private let publisher: SceneClient

  init() { publisher = scene.connect(.publisher) }

  @Test("while it subscribes sees nothing any more, and others lose nothing by it")
  func subscribing() throws {
    let device = try scene.subscriber()
    let other = try scene.subscriber()
    scene.commitsAtOnce = false
    publisher.send(SceneClient.write("start", "a"))
    scene.turn()
    scene.endCommit()
    // What its view has gathered is written before it leaves it.
    device.socket.bytesUntilFailure = 0
    device.send(#"{"op":"subscribe","ids":["a"]}"#)
    #expect(device.session.isDeaf)
    #expect(device.session.interest == nil)
    scene.turn()
    #expect(try other.hear().told == ["start a 1"])
    #expect(try device.hear().isEmpty)
  }

  @Test("while a batch lands that holds a change of its own is obeyed nevertheless")
  func landing() throws {
    publisher.publish("start", "b")
    publisher.publish("start", "c")
    let device = try scene.subscriber(#"{"op":"hello","device":"d"}"#)
    let failing = scene.connect(.publisher)
    failing.say(#"{"op":"subscribe","all":true}"#)
    _ = try failing.hear()
    scene.commitsAtOnce = false
    // The dismissal takes its device out of step, and all are sent what was gathered until then.
    publisher.send(SceneClient.write("update", "b", #","content-state":1"#))
    scene.turn()
    publisher.send(SceneClient.write("start", "a"))
    device.send(#"{"op":"dismiss","id":"b"}"#)
    failing.send(SceneClient.write("update", "c", #","content-state":1"#))
    scene.endCommit()
    scene.turn()
    failing.socket.bytesUntilFailure = 0
    scene.endCommit()
    #expect(failing.session.isDeaf)
    failing.send(SceneClient.write("update", "c", #","content-state":2"#))
    scene.commitsAtOnce = true
    scene.turn()
    #expect(scene.stored.first { $0.id == "c" }?.version == 3)
    #expect(try device.hear().told.contains("start a 1"))
  }

  @Test(
    "at the end of a turn is carried out to its end, and others are told what follows from that")
  func endOfTurn() throws {
    publisher.publish("start", "a")
    publisher.say(#"{"op":"subscribe","feedback":true}"#)
    _ = try publisher.hear()
    let hasty = scene.connect()
    hasty.socket.bytesUntilFailure = 0
    // The action waits for the list to be told.
    hasty.send(#"{"op":"list"}"#)
    hasty.send(#"{"op":"action","id":"a","action-id":"1","name":"press"}"#)
    scene.turn()
    #expect(try publisher.hear().events == ["action"])
  }

  @Test("or whose store fails: a dismissal that landed unnoticed is told to its device")
  func unanswered() throws {
    publisher.publish("start", "a")
    let device = try scene.subscriber(#"{"op":"hello","device":"d"}"#)
    scene.store.fault = .nextCommitAfterLanding
    device.say(#"{"op":"dismiss","id":"a"}"#)
    #expect(try device.hear().last?["error"]?.string == "storage-unavailable")
    scene.pass(seconds: 2)
    let told = try device.hear()
    #expect(told.told == ["dismiss a 1"])
    #expect(told.first?["reason"]?.string == "dismissed")
  }
}
