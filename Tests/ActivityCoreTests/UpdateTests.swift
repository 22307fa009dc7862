import ActivityCore
import Testing

@Suite("Updating")
struct UpdateTests {
  let desk = Desk()

  @Test("an update replaces the content whole and raises the version by one")
  func replaces() {
    desk.start("ride", #"{"a":1,"b":2}"#)
    #expect(desk.update("ride", #"{"a":2}"#).outcome == .applied)
    #expect(desk["ride"]?.contentState == json(#"{"a":2}"#))
    #expect(desk["ride"]?.version == 2)
    #expect(desk["ride"]?.seq == 2)
    #expect(desk["ride"]?.generation == 1)
    #expect(desk["ride"]?.shownSeq == 1)
  }

  @Test("what an update leaves out is kept, but for the stale-date and the source")
  func keeps() throws {
    desk.start { start in
      start.relevanceScore = 50
      start.url = json(#""u""#)
      start.links = json("[]")
      start.stale = .after(.minutes(5))
      start.source = Source(name: "a", priority: 0)
    }
    #expect(desk.update().outcome == .applied)
    let ride = try #require(desk["ride"])
    #expect(ride.contentState == json("0"))
    #expect(ride.relevanceScore == 50)
    #expect(ride.url == json(#""u""#))
    #expect(ride.links == json("[]"))
    #expect(ride.staleDate == nil)
    #expect(ride.source == nil)
  }

  @Test("url and links are set and removed")
  func edits() {
    desk.start { $0.url = json(#""u""#) }
    desk.update { update in
      update.url = .remove
      update.links = .set(json("[1]"))
    }
    #expect(desk["ride"]?.url == nil)
    #expect(desk["ride"]?.links == json("[1]"))
    #expect(desk["ride"]?.version == 2)
  }

  @Test("attributes, type, channels, start and lifetime never change")
  func constant() throws {
    desk.start { $0.channels = ["c"] }
    let before = try #require(desk["ride"])
    desk.now = at(60)
    desk.update("ride", "1") { $0.relevanceScore = 9 }
    let after = try #require(desk["ride"])
    #expect(after.attributes == before.attributes)
    #expect(after.attributesType == before.attributesType)
    #expect(after.channels == before.channels)
    #expect(after.startDate == before.startDate)
    #expect(after.endDate == before.endDate)
    #expect(after.startDigest == before.startDigest)
  }

  @Test("an update of what isn't there is unknown-activity; of what is over, ended")
  func needsALiveOne() {
    #expect(desk.update("ride", "1").code == .unknownActivity)
    desk.start()
    desk.end()
    #expect(desk.update("ride", "1").code == .ended)
    desk.cancel()
    let refused = desk.update("ride", "1")
    #expect(refused.code == .ended)
    #expect(refused.refusal?.version == 3)
  }

  @Test("only a pending activity can be moved")
  func cannotMove() {
    desk.start()
    let verdict = desk.update("ride", "1") { $0.start = .after(.hours(1)) }
    #expect(verdict.code == .badValue)
    #expect(verdict.refusal?.key == "start-date")
  }

  @Test("if-version names the present version or is refused, and the answer tells it")
  func ifVersion() {
    desk.start()
    desk.update("ride", "1")
    let refused = desk.update("ride", "2") { $0.ifVersion = 1 }
    #expect(refused.code == .versionConflict)
    #expect(refused.refusal?.version == 2)
    #expect(desk.update("ride", "2") { $0.ifVersion = 2 }.outcome == .applied)
  }

  @Test("an alert on an update is of its version and seq, and the newest one stays")
  func alert() {
    desk.start { $0.alert = json(#""a""#) }
    desk.now = at(10)
    desk.update { $0.alert = json(#""b""#) }
    #expect(
      desk["ride"]?.alert == Alert(content: json(#""b""#), version: 2, seq: 2, at: at(10)))
  }

  @Test("an update by a publisher wipes the due time that a deadline left")
  func dueTimeGoes() {
    desk.start { $0.stale = .after(.seconds(10)) }
    desk.pass(to: 11)
    #expect(desk["ride"]?.dueAt == at(10))
    #expect(desk["ride"]?.changedBy == nil)
    desk.update("ride", "1")
    #expect(desk["ride"]?.dueAt == nil)
    #expect(desk["ride"]?.changedBy == "tester")
  }
}
