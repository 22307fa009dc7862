import ActivityCore
import ActivityStore
import ActivityWire
import TestSupport
import Testing

@testable import ActivityDaemon

@Suite("A session whose rights change")
struct RightsTests {
  private let scene = Scene()
  private let publisher: SceneClient
  private let admin: SceneClient

  init() {
    publisher = scene.connect(.publisher)
    admin = scene.connect(.admin)
  }

  /// A device in step that was let in by a token, and sees everything.
  private func subscriberByToken() throws -> SceneClient {
    _ = try admin.hear()
    admin.say(#"{"op":"token-add","name":"phone's","role":"device"}"#)
    let token = try #require(try admin.hear().last?["token"]?.string)
    return try scene.subscriber(#"{"op":"hello","device":"phone","token":"\#(token)"}"#)
  }

  @Test("isn't told in public what waited for the end of the window when it was in private")
  func turnedToThePublic() throws {
    let device = try scene.subscriber()
    publisher.publish("start", "a", #","sensitive":["content-state/name"]"#)
    publisher.publish("update", "a", #","content-state":{"name":"Ana"},"priority":5"#)
    _ = try device.hear()
    device.say(#"{"op":"hello","surface":"public"}"#)
    let lines = try device.hear()
    let turned = try #require(lines.firstIndex { $0["ok"]?.string == "hello" })
    #expect(lines[turned...].allSatisfy { !$0.description.contains("Ana") })
    #expect(lines.events.suffix(3) == ["reset", "start", "synced"])
  }

  @Test("isn't told in public what was gathered in this turn when it was in private")
  func turnedToThePublicAmidATurn() throws {
    let device = try scene.subscriber()
    publisher.publish("start", "a", #","sensitive":["content-state/name"]"#)
    _ = try device.hear()
    scene.commitsAtOnce = false
    publisher.publish("update", "a", #","content-state":{"name":"Ana"}"#)
    scene.endCommit()
    device.say(#"{"op":"hello","surface":"public"}"#)
    let lines = try device.hear()
    let turned = try #require(lines.firstIndex { $0["ok"]?.string == "hello" })
    #expect(lines[turned...].allSatisfy { !$0.description.contains("Ana") })
  }

  @Test("is told nothing that changed after its token was revoked, though an answer is under way")
  func revokedWhileAnAnswerIsUnderWay() throws {
    publisher.publish("start", "a")
    publisher.publish("start", "b")
    let device = try subscriberByToken()
    scene.commitsAtOnce = false
    admin.say(#"{"op":"token-revoke","name":"phone's"}"#)
    publisher.publish("update", "a", #","content-state":1"#)
    device.say(#"{"op":"dismiss","id":"b"}"#)
    scene.commitsAtOnce = true
    scene.turn()
    let lines = try device.hear()
    #expect(lines.told == [])
    #expect(lines.first?["ok"]?.string == "dismiss")
    #expect(lines.last?["reason"]?.string == "revoked")
  }

  @Test("is told nothing that changed after its token was revoked, though both landed unnoticed")
  func revokedUnnoticed() throws {
    publisher.publish("start", "a")
    let device = try subscriberByToken()
    scene.store.fault = .nextCommitAfterLanding
    admin.send(#"{"op":"token-revoke","name":"phone's"}"#)
    publisher.send(SceneClient.write("update", "a", #","content-state":1"#))
    scene.turn()
    scene.pass(seconds: 2)
    let lines = try device.hear()
    #expect(lines.told == [])
    #expect(lines.last?["reason"]?.string == "revoked")
  }
}
