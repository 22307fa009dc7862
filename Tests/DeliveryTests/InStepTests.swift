import ActivityCore
import ActivityWire
import TestSupport
import Testing

@testable import ActivityDaemon

@Suite("Sessions in step")
struct InStepTests {
  private let scene = Scene()
  private let publisher: SceneClient

  init() { publisher = scene.connect(.publisher) }

  private func publish(_ op: String, _ id: String, _ more: String = "") {
    publisher.send(SceneClient.write(op, id, more))
  }

  @Test("are written a turn's lines at once, the same bytes, with a cursor at the end")
  func shares() throws {
    let devices = try (0..<3).map { _ in try scene.subscriber() }
    let writes = devices.map(\.socket.writeCount)
    for id in ["a", "b", "c"] { publish("start", id) }
    scene.turn()
    let lines = devices.map { $0.takeLines() }
    #expect(lines[0].count == 3 && lines[1] == lines[0] && lines[2] == lines[0])
    expect(zip(devices, writes).allSatisfy { $0.socket.writeCount == $1 + 1 })
    let cursors = try lines[0].map { try JSONLine($0)["cursor"]?.string }
    #expect(cursors[0] == nil && cursors[1] == nil && cursors[2] != nil)
    expect(devices.allSatisfy { $0.session.isInStep })
  }

  /// So many devices, of which the first change is on disk and a second on its way there.
  private func betweenCommits(_ count: Int) throws -> (devices: [SceneClient], writes: () -> Int) {
    let devices = try (0..<count).map { _ in try scene.subscriber() }
    scene.commitsAtOnce = false
    publish("start", "a")
    scene.turn()
    publish("start", "b")
    let before = devices[0].socket.writeCount
    scene.endCommit()
    scene.turn()
    return (devices, { devices[0].socket.writeCount - before })
  }

  @Test("are written to once for two commits, if they are many and one follows the other")
  func waitForCommit() throws {
    let (devices, writes) = try betweenCommits(64)
    #expect(writes() == 0)
    scene.endCommit()
    scene.turn()
    #expect(writes() == 1)
    for device in devices { #expect(try device.hear().told == ["start a 1", "start b 1"]) }
  }

  @Test("don't wait for a commit that takes long, nor if they are few")
  func waitNotLong() throws {
    let (_, writes) = try betweenCommits(64)
    scene.pass(milliseconds: 1)
    #expect(writes() == 0)
    scene.pass(milliseconds: 1)
    #expect(writes() == 1)
    #expect(try InStepTests().betweenCommits(63).writes() == 1)
  }

  @Test("are out of it while a socket holds up, and in it again when all is told")
  func leavesAndJoins() throws {
    let slow = try scene.subscriber()
    let quick = try scene.subscriber()
    slow.block(capacity: 10)
    publish("start", "a")
    scene.turn()
    #expect(!slow.session.isInStep && quick.session.isInStep)
    #expect(try quick.hear().told == ["start a 1"])
    slow.unblock()
    #expect(slow.session.isInStep && slow.session.remainder == nil)
    publish("update", "a", #","content-state":1"#)
    scene.turn()
    #expect(try slow.hear().told == ["start a 1", "update a 2"])
  }

  @Test("wait a second together for a 5, and are given no cursor that passes it")
  func window() throws {
    let first = try scene.subscriber()
    publish("start", "a")
    publish("start", "b")
    scene.turn()
    _ = try first.hear()
    publish("update", "a", #","content-state":1,"priority":5"#)
    scene.turn()
    let held = scene.hub.visibleSeq
    publish("update", "b", #","content-state":1"#)
    scene.turn()
    first.say(#"{"op":"ping"}"#)
    let early = try first.hear()
    #expect(early.told == ["update b 2"])
    #expect(early.cursors.compactMap { Cursor($0)?.seq }.allSatisfy { $0 < held })
    scene.pass(milliseconds: 999)
    #expect(try first.hear().isEmpty)
    scene.pass(milliseconds: 1)
    let late = try first.hear()
    #expect(late.told == ["update a 2"])
    #expect(late.cursors.compactMap { Cursor($0)?.seq } == [held + 1])
  }

  @Test("are sent a waiting 5 with the 10 that follows it, once")
  func takenAlong() throws {
    let device = try scene.subscriber()
    publish("start", "a")
    scene.turn()
    _ = try device.hear()
    publish("update", "a", #","content-state":1,"priority":5,"alert":"hear""#)
    scene.turn()
    publish("update", "a", #","content-state":2"#)
    scene.turn()
    scene.pass(seconds: 3)
    let lines = try device.hear()
    #expect(lines.told == ["update a 3"])
    #expect(lines.compactMap { $0["alert-version"]?.integer } == [2])
  }
}
