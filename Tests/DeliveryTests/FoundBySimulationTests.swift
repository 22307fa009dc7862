import ActivityCore
import ActivityStore
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

  @Test("is told what went while it resumed before its synced, whose cursor counts it in")
  func goneWhileResuming() throws {
    let device = try scene.subscriber()
    start("a")
    let cursor = try #require(try device.hear().last?["cursor"]?.string)
    publisher.say(#"{"op":"update","id":"a","content-state":1}"#)
    let again = scene.connect()
    again.block()
    // With this answer under way, what follows isn't encoded yet.
    again.say(#"{"op":"ping"}"#)
    again.say(#"{"op":"subscribe","all":true,"since":"\#(cursor)"}"#)
    publisher.say(#"{"op":"cancel","id":"a"}"#)
    again.unblock()
    let lines = try again.hear().compactMap { $0["event"]?.string }
    #expect(lines.suffix(2) == ["dismiss", "synced"])
  }

  @Test("is told the same of what started behind the cursor that it names, and it may have seen")
  func startedAndGoneWhileResuming() throws {
    let device = try scene.subscriber()
    start("b")
    let cursor = try #require(try device.hear().last?["cursor"]?.string)
    start("a")
    let again = scene.connect()
    again.block()
    again.say(#"{"op":"ping"}"#)
    again.say(#"{"op":"subscribe","all":true,"since":"\#(cursor)"}"#)
    publisher.say(#"{"op":"cancel","id":"a"}"#)
    again.unblock()
    let lines = try again.hear().compactMap { $0["event"]?.string }
    #expect(lines.suffix(2) == ["dismiss", "synced"])
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

  @Test("begins anew if what it was to show no more is forgotten before it reads")
  func forgottenWhileTakenAway() throws {
    let device = try scene.subscriber()
    start("a")
    _ = try device.hear()
    device.block()
    // With this answer under way, what follows isn't encoded yet.
    device.say(#"{"op":"ping"}"#)
    device.say(#"{"op":"hello","activities-enabled":false}"#)
    publisher.say(#"{"op":"cancel","id":"a"}"#)
    scene.sleep(seconds: 25 * 3_600)
    device.unblock()
    let lines = try device.hear().compactMap { $0["event"]?.string ?? $0["ok"]?.string }
    #expect(lines.contains("reset"))
    #expect(lines.last == "synced")
  }

  @Test("begins anew if what it wasn't told is forgotten when it sees nothing any more")
  func forgottenOutOfView() throws {
    let device = try scene.subscriber()
    start("a")
    _ = try device.hear()
    device.block()
    publisher.say(#"{"op":"update","id":"a","content-state":1}"#)
    publisher.say(#"{"op":"cancel","id":"a"}"#)
    device.say(#"{"op":"hello","activities-enabled":false}"#)
    scene.sleep(seconds: 25 * 3_600)
    device.unblock()
    let lines = try device.hear().compactMap { $0["event"]?.string ?? $0["ok"]?.string }
    #expect(lines.contains("reset"))
    #expect(lines.last == "synced")
  }

  @Test("is told the form of its own dismissal again, though all have dismissed meanwhile")
  func ownDismissalReplayed() throws {
    let device = try scene.subscriber(#"{"op":"hello","device":"phone"}"#)
    start("a")
    _ = try device.hear()
    let dismiss = #"{"op":"dismiss","id":"a","idempotency-key":"k"}"#
    device.say(dismiss)
    publisher.say(#"{"op":"cancel","id":"a"}"#)
    device.say(dismiss)
    let answers = try device.hear().filter { $0["ok"] != nil }
    #expect(
      answers.map(\.description) == [
        #"{"ok":"dismiss","id":"a","generation":1,"outcome":"applied"}"#,
        #"{"ok":"dismiss","id":"a","generation":1,"outcome":"applied","replayed":true}"#,
      ])
  }

  @Test("finds its dismissal kept though that landed unnoticed")
  func ownDismissalLandedUnnoticed() throws {
    let device = try scene.subscriber(#"{"op":"hello","device":"phone"}"#)
    start("a")
    scene.store.fault = .nextCommitAfterLanding
    let dismiss = #"{"op":"dismiss","id":"a","idempotency-key":"k"}"#
    device.say(dismiss)
    scene.pass(seconds: 2)
    _ = try device.hear()
    device.say(dismiss)
    #expect(
      try device.hear().map(\.description)
        == [#"{"ok":"dismiss","id":"a","generation":1,"outcome":"applied","replayed":true}"#])
  }

  @Test("is told what its device dismissed over an earlier connection")
  func dismissedBefore() throws {
    start("a")
    let earlier = try scene.subscriber(#"{"op":"hello","device":"phone"}"#)
    scene.commitsAtOnce = false
    earlier.say(#"{"op":"dismiss","id":"a"}"#)
    let device = try scene.subscriber(#"{"op":"hello","device":"phone"}"#)
    scene.endCommit()
    scene.turn()
    let lines = try device.hear()
    #expect(lines.told == ["dismiss a 1"])
    #expect(lines.first?["reason"]?.string == "dismissed")
  }

  @Test("keeps its dismissals though a session that it superseded lingers")
  func supersededLingers() throws {
    start("a")
    let hello = #"{"op":"hello","device":"phone"}"#
    let first = try scene.subscriber(hello)
    first.block()
    publisher.say(#"{"op":"update","id":"a","content-state":1}"#)
    try scene.subscriber(hello).reset()
    let device = try scene.subscriber(hello)
    first.reset()
    device.say(#"{"op":"dismiss","id":"a"}"#)
    publisher.say(#"{"op":"update","id":"a","content-state":2}"#)
    #expect(try device.hear().told == [])
  }

  @Test("is told that a generation is gone before it is shown the next")
  func overdueDismissal() throws {
    let device = scene.connect()
    device.say(#"{"op":"subscribe","channels":["x"]}"#)
    let start = #"{"op":"start","id":"a","attributes-type":"T","content-state":0"#
    publisher.say(start + #","channels":["x"]}"#)
    _ = try device.hear()
    device.block()
    publisher.say(
      #"{"op":"start","id":"wedge","attributes-type":"T","content-state":0,"channels":["x"]}"#)
    publisher.say(#"{"op":"cancel","id":"a"}"#)
    publisher.say(start + "}")
    device.say(#"{"op":"subscribe","all":true}"#)
    device.unblock()
    #expect(try device.hear().told == ["start wedge 1", "dismiss a 2", "start a 3"])
  }

  @Test("is answered, though the clock leaps while a retry waits for the first")
  func expiredWhileWaiting() throws {
    start("a")
    _ = try publisher.hear()
    scene.commitsAtOnce = false
    let cancel = #"{"op":"cancel","id":"a","idempotency-key":"k"}"#
    publisher.say(cancel)
    publisher.say(#"{"op":"start","id":"b","attributes-type":"T","content-state":0}"#)
    publisher.say(cancel)
    scene.clock.step(seconds: 3_600)
    scene.commitsAtOnce = true
    scene.endCommit()
    scene.turn()
    let answers = try publisher.hear().map { $0["ok"]?.string ?? "" }
    #expect(answers == ["cancel", "start", "cancel"])
  }

  @Test("finds no outcome of what was forgotten unnoticed")
  func forgottenUnnoticed() throws {
    start("a")
    publisher.say(#"{"op":"cancel","id":"a"}"#)
    scene.store.fault = .nextCommitAfterLanding
    scene.sleep(seconds: 25 * 3_600)
    scene.clock.step(seconds: -25 * 3_600)
    scene.pass(seconds: 2)
    publisher.say(#"{"op":"cancel","id":"a","idempotency-key":"k"}"#)
    #expect(try publisher.hear().last?["error"]?.string == "unknown-activity")
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
