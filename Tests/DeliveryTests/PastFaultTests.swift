import ActivityCore
import ActivityWire
import TestSupport
import Testing

@testable import ActivityDaemon

/// Each of these was wrong once.
@Suite("A session that is behind, or leaves step,")
struct PastFaultTests {
  private let scene = Scene()
  private let publisher: SceneClient

  init() { publisher = scene.connect(.publisher) }

  @Test("is still sent what its view had gathered before it got a pace")
  func leavingStep() throws {
    let device = try scene.subscriber()
    publisher.send(#"{"op":"start","id":"a","attributes-type":"T","content-state":0}"#)
    scene.commitsAtOnce = false
    scene.turn()
    scene.endCommit()
    device.send(#"{"op":"hello","interval":5}"#)
    scene.turn()
    #expect(try device.hear().told == ["start a 1"])
  }

  @Test("is still sent what its view had gathered before it dismissed something")
  func dismissing() throws {
    let device = try scene.subscriber()
    publisher.publish("start", "b")
    _ = try device.hear()
    publisher.send(#"{"op":"start","id":"a","attributes-type":"T","content-state":0}"#)
    scene.commitsAtOnce = false
    scene.turn()
    scene.endCommit()
    device.send(#"{"op":"dismiss","id":"b"}"#)
    scene.turn()
    #expect(try device.hear().told == ["start a 1"])
  }

  @Test("isn't told twice of a change that waits in the window")
  func windowTwice() throws {
    let device = try scene.subscriber()
    publisher.publish("start", "a")
    publisher.publish("start", "wedge")
    let other = try scene.subscriber()
    _ = try device.hear()
    device.block()
    publisher.publish("update", "wedge", #","content-state":1"#)
    publisher.publish("update", "a", #","content-state":1"#)
    publisher.publish("update", "a", #","content-state":2,"priority":5,"alert":"hear""#)
    #expect(try other.hear().told == ["update wedge 2", "update a 2"])
    device.unblock()
    scene.pass(seconds: 2)
    let lines = try device.hear()
    #expect(lines.told == ["update wedge 2", "update a 3"])
    #expect(lines.filter { $0["alert"] != nil }.count == 1)
    #expect(try other.hear().told == ["update a 3"])
  }

  @Test("and subscribes while a change waits in the window isn't told of it twice")
  func subscribingInWindow() throws {
    publisher.publish("start", "a")
    publisher.publish("update", "a", #","content-state":1,"priority":5"#)
    let device = try scene.subscriber()
    scene.pass(seconds: 2)
    #expect(try device.hear().isEmpty)
    // Its state is still on its way when the next change comes.
    let slow = scene.connect()
    slow.block()
    slow.say(#"{"op":"ping"}"#)
    slow.say(#"{"op":"subscribe","all":true}"#)
    publisher.publish("update", "a", #","content-state":2,"priority":5"#)
    slow.unblock()
    scene.pass(seconds: 2)
    #expect(try slow.hear().told == ["start a 3"])
  }

  /// A device that shows `a`, and reads no more: an update of `wedge` is on its way.
  private func blockedDevice() throws -> SceneClient {
    let device = try scene.subscriber()
    publisher.publish("start", "wedge")
    publisher.publish("start", "a")
    _ = try device.hear()
    device.block()
    publisher.publish("update", "wedge", #","content-state":1"#)
    return device
  }

  @Test("has taken away what it unsubscribed from, though that was dismissed meanwhile")
  func unsubscribedThenDismissed() throws {
    let device = try blockedDevice()
    device.say(#"{"op":"unsubscribe","all":true}"#)
    publisher.publish("cancel", "a")
    device.unblock()
    #expect(try device.hear().told.contains { $0.hasPrefix("dismiss a") })
  }

  @Test("has taken away what was dismissed before it unsubscribed, and the daemon comes to rest")
  func dismissedThenUnsubscribed() throws {
    let device = try blockedDevice()
    publisher.publish("cancel", "a")
    device.say(#"{"op":"unsubscribe","all":true}"#)
    device.unblock()
    #expect(try device.hear().told == ["update wedge 2", "dismiss wedge 2", "dismiss a 2"])
  }

  @Test("has taken away what was dismissed before activities were disabled")
  func dismissedThenDisabled() throws {
    let device = try blockedDevice()
    publisher.publish("cancel", "a")
    device.say(#"{"op":"hello","activities-enabled":false}"#)
    device.unblock()
    #expect(try device.hear().told == ["update wedge 2", "dismiss wedge 2", "dismiss a 2"])
  }

  @Test("isn't told that something was taken away which it was never told of")
  func neverToldNeverTaken() throws {
    let device = try scene.subscriber()
    device.block()
    publisher.publish("start", "wedge")
    publisher.publish("start", "a")
    device.say(#"{"op":"unsubscribe","all":true}"#)
    device.unblock()
    #expect(try device.hear().told == ["start wedge 1", "dismiss wedge 1"])
  }

  @Test("hears an alert that came while the state was on its way")
  func alertDuringState() throws {
    publisher.publish("start", "a")
    let device = scene.connect()
    device.block()
    device.say(#"{"op":"ping"}"#)
    device.say(#"{"op":"subscribe","all":true}"#)
    publisher.publish("update", "a", #","content-state":1,"alert":"hear""#)
    device.unblock()
    let lines = try device.hear()
    #expect(lines.told == ["start a 2"])
    #expect(lines.compactMap { $0["alert"]?.string } == ["hear"])
  }

  @Test("is obeyed to the end of its input when its writes fail amid lists and subscriptions")
  func deaf() throws {
    publisher.publish("start", "a")
    let hasty = scene.connect(.publisher)
    hasty.socket.bytesUntilFailure = 0
    hasty.send(#"{"op":"list"}"#)
    hasty.send(#"{"op":"subscribe","all":true}"#)
    hasty.send(#"{"op":"list"}"#)
    scene.turn()
    hasty.send(#"{"op":"subscribe","all":true}"#)
    hasty.send(#"{"op":"list"}"#)
    hasty.send(#"{"op":"end","id":"a"}"#)
    hasty.endOutput()
    #expect(scene.stored.map(\.state) == [.ended])
    #expect(hasty.isClosed)
  }
}
