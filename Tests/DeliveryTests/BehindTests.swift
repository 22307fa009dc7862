import ActivityCore
import ActivityWire
import TestSupport
import Testing

@testable import ActivityDaemon

@Suite("A session that is behind")
struct BehindTests {
  private let scene = Scene()
  private let publisher: SceneClient

  init() { publisher = scene.connect(.publisher) }

  private func start(_ id: String, _ more: String = "") {
    publisher.say(
      #"{"op":"start","id":"\#(id)","attributes-type":"T","content-state":0\#(more)}"#)
  }

  private func update(_ id: String, _ content: Int, _ more: String = "") {
    publisher.say(#"{"op":"update","id":"\#(id)","content-state":\#(content)\#(more)}"#)
  }

  private func end(_ id: String, _ more: String = "") {
    publisher.say(#"{"op":"end","id":"\#(id)"\#(more)}"#)
  }

  @Test("gets the newest state only, whatever lies between")
  func newestOnly() throws {
    let device = try scene.subscriber()
    start("a")
    #expect(try device.hear().told == ["start a 1"])
    device.block()
    for content in 1...1_000 { update("a", content) }
    device.unblock()
    let lines = try device.hear()
    // The first was being written when the socket held it up.
    #expect(lines.told == ["update a 2", "update a 1001"])
    #expect(lines.last?["content-state"]?.raw == "1000")
    #expect(device.session.isInStep)
  }

  @Test("is never told of what came and went meanwhile, but of what ended and is still shown")
  func neverSeen() throws {
    let device = try scene.subscriber()
    device.block()
    start("wedge")
    start("gone")
    end("gone", #","dismissal":"immediate""#)
    start("cancelled")
    publisher.say(#"{"op":"cancel","id":"cancelled"}"#)
    start("ended")
    end("ended")
    device.unblock()
    #expect(try device.hear().told == ["start wedge 1", "start ended 2"])
  }

  @Test("loses no end and no dismissal")
  func nothingLost() throws {
    let device = try scene.subscriber()
    for id in ["wedge", "ended", "dismissed", "replaced"] { start(id) }
    _ = try device.hear()
    device.block()
    update("wedge", 1)
    end("ended")
    publisher.say(#"{"op":"cancel","id":"dismissed"}"#)
    start("replaced", #","if-exists":"replace""#)
    device.unblock()
    #expect(
      try device.hear().told == [
        "update wedge 2", "end ended 2", "dismiss dismissed 2", "dismiss replaced 2",
        "start replaced 3",
      ])
  }

  @Test("is sent 10 before 5, and a 5 that has waited a second like a 10")
  func order() throws {
    scene.hub.limits.lowPriorityWindow = .seconds(0)
    let device = try scene.subscriber()
    for id in ["wedge", "low", "high", "old"] { start(id) }
    _ = try device.hear()
    device.block()
    update("wedge", 1)
    update("old", 1, #","priority":5"#)
    scene.pass(seconds: 2)
    update("low", 1, #","priority":5"#)
    update("high", 1)
    device.unblock()
    #expect(
      try device.hear().told == ["update wedge 2", "update old 2", "update high 2", "update low 2"])
  }

  @Test("is given cursors that pass nothing it lacks")
  func cursors() throws {
    let device = try scene.subscriber()
    device.block(capacity: 1)
    let filler = String(repeating: "x", count: 4_000)
    for index in 0..<40 { start("a\(index)", #","attributes":{"filler":"\#(filler)"}"#) }
    device.block(capacity: 1_000)
    while device.session.remainder != nil || device.socket.isWriting {
      device.read(upTo: 500)
      let waiting = device.session.remainder?.firstSeq ?? .max
      #expect(device.session.cursorSeq < waiting)
    }
    device.unblock()
    let lines = try device.hear()
    #expect(lines.told.count == 40)
    #expect(lines.cursors.count > 2)
    #expect(device.session.cursorSeq == scene.hub.visibleSeq)
  }

  @Test("hears the newest alert it hasn't heard, once")
  func alerts() throws {
    let device = try scene.subscriber()
    start("a")
    _ = try device.hear()
    device.block()
    update("a", 1)
    update("a", 2, #","alert":"first""#)
    update("a", 3, #","alert":"second""#)
    update("a", 4)
    device.unblock()
    update("a", 5)
    let lines = try device.hear()
    #expect(lines.told == ["update a 2", "update a 5", "update a 6"])
    #expect(lines.compactMap { $0["alert"]?.string } == ["second"])
    #expect(lines.compactMap { $0["alert-version"]?.integer } == [4])
  }
}
