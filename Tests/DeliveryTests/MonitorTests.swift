import ActivityCore
import ActivityStore
import ActivityWire
import TestSupport
import Testing

@testable import ActivityDaemon

/// What an operator is told of the requests of others, and what that may cost.
@Suite("Monitor")
struct MonitorTests {
  private let scene = Scene()

  /// Somebody who watches, and whom it watches.
  private func watched() throws -> (monitor: SceneClient, publisher: SceneClient) {
    let monitor = scene.connect(.admin)
    monitor.say(#"{"op":"monitor"}"#)
    let publisher = scene.connect(.publisher)
    _ = try monitor.hear()
    return (monitor, publisher)
  }

  private func start(_ number: Int) -> String {
    #"{"op":"start","id":"\#(number)","attributes-type":"T","content-state":1}"#
  }

  @Test(
    "a monitor that doesn't read is told how much it missed, and takes no more room than others")
  func slowMonitor() throws {
    let (monitor, publisher) = try watched()
    monitor.block()
    let count = 5_000
    for number in 0..<count { publisher.say(start(number)) }
    let limit = scene.hub.limits.answerBytesMax
    #expect(monitor.session.answers.count < limit + 512)
    monitor.unblock()
    scene.pass(seconds: 1)
    let lines = try monitor.hear()
    let missed = lines.compactMap { $0["missed"]?.integer }
    #expect(missed.count == 1)
    #expect(missed[0] > 0)
    #expect(lines.count - 1 + missed[0] == count)
    // It is told everything again from then on.
    publisher.say(start(count))
    #expect(try monitor.hear().map { $0["id"]?.string } == ["\(count)"])
  }

  @Test("who sends and goes away without reading is watched as well")
  func deafPublisher() throws {
    let (monitor, publisher) = try watched()
    scene.commitsAtOnce = false
    publisher.say(start(1))
    publisher.reset()
    scene.endCommit()
    scene.turn()
    let told = try #require(try monitor.hear().first)
    #expect(told["id"]?.string == "1")
    #expect(told["outcome"]?.string == "applied")
  }

  @Test("nothing is told before it is on disk, and a failed change as one")
  func failedCommit() throws {
    let (monitor, publisher) = try watched()
    scene.commitsAtOnce = false
    publisher.say(start(1))
    #expect(try monitor.hear().isEmpty)
    scene.store.fault = .everyCommit
    scene.endCommit()
    scene.turn()
    let told = try #require(try monitor.hear().first)
    #expect(told["id"]?.string == "1")
    #expect(told["error"]?.string == "storage-unavailable")
  }

  @Test("a monitor that has said all it will is told on")
  func halfClosed() throws {
    let (monitor, _) = try watched()
    monitor.endOutput()
    let device = scene.connect()
    device.say(#"{"op":"ping"}"#)
    #expect(try monitor.hear().map { $0["op"]?.string } == ["ping"])
    // And nobody is told when it has gone.
    monitor.reset()
    #expect(scene.hub.monitors.isEmpty)
  }
}
