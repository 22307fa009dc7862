import ActivityCore
import Testing

@Suite("Noops")
struct NoopTests {
  let desk = Desk()

  @Test("an update with equal bytes and nothing else new is a noop and takes no seq")
  func equal() {
    desk.start("ride", #"{"a":1}"#)
    #expect(desk.update("ride", #"{"a":1}"#).outcome == .noop)
    #expect(desk.update().outcome == .noop)
    #expect(desk["ride"]?.version == 1)
    #expect(desk.seq == 1)
  }

  @Test("bytes are compared, not values")
  func bytes() {
    desk.start("ride", "1")
    #expect(desk.update("ride", "1.0").outcome == .applied)
  }

  static let news: [@Sendable (inout Update) -> Void] = [
    { $0.relevanceScore = 1 },
    { $0.url = .set(json(#""u""#)) },
    { $0.url = .remove },
    { $0.links = .set(json("[1]")) },
    { $0.stale = .at(at(500)) },
    { $0.source = Source(name: "b", priority: 0) },
    { $0.alert = json(#""ping""#) },
  ]

  @Test("anything else that is new is a change", arguments: news.indices)
  func anythingNew(index: Int) {
    desk.start { $0.url = json(#""v""#) }
    #expect(desk.update("ride", nil, Self.news[index]).outcome == .applied)
    #expect(desk["ride"]?.version == 2)
  }

  @Test("what repeats the present values is nothing new")
  func repeated() {
    desk.start { start in
      start.relevanceScore = 3
      start.url = json(#""v""#)
      start.stale = .at(at(500))
      start.source = Source(name: "a", priority: 2)
    }
    let verdict = desk.update("ride", "0") { update in
      update.relevanceScore = 3
      update.url = .set(json(#""v""#))
      update.links = .remove
      update.stale = .at(at(500))
      update.source = Source(name: "a", priority: 2)
    }
    #expect(verdict.outcome == .noop)
  }

  @Test("an update that leaves stale is never a noop")
  func leavesStale() {
    desk.start { $0.stale = .at(at(10)) }
    desk.pass(to: 20)
    #expect(desk.update().outcome == .applied)
    #expect(desk["ride"]?.state == .active)
  }

  @Test("one that stays stale with the same stale-date is")
  func staysStale() {
    desk.start { $0.stale = .at(at(10)) }
    desk.pass(to: 20)
    #expect(desk.update("ride", "0") { $0.stale = .at(at(10)) }.outcome == .noop)
    #expect(desk["ride"]?.state == .stale)
  }

  @Test("a noop on a durable state without a newer watermark waits for nothing")
  func nothingToStore() {
    desk.start { $0.timestamp = stamp(30) }
    let verdict = desk.update()
    #expect(verdict.outcome == .noop)
    #expect(verdict.mutations.isEmpty)
    #expect(verdict.batch == nil)
  }

  @Test("a noop that raises the watermark belongs to the batch that stores it")
  func batch() {
    desk.start()
    desk.holds = true
    desk.now = at(10)
    let verdict = desk.update()
    #expect(verdict.mutations == [.watermark(id: "ride", at(10))])
    #expect(verdict.batch == desk.coordinator.batch)
  }
}
