import ActivityCore
import Testing

@Suite("Several writers of one activity")
struct SourcePriorityTests {
  let desk = Desk()

  /// Source `a` holds the activity with priority 5 until second 300.
  private func lease() {
    desk.start { start in
      start.source = Source(name: "a", priority: 5)
      start.stale = .at(at(300))
    }
  }

  private func update(_ source: Source?, _ content: String = "1") -> Decided {
    desk.update("ride", content) { update in
      update.source = source
      update.stale = .at(at(400))
    }
  }

  @Test("a source-priority above 0 needs a stale-date")
  func needsAStaleDate() {
    let refused = desk.start { $0.source = Source(name: "a", priority: 1) }
    #expect(refused.code == .missingKey)
    #expect(refused.refusal?.key == "stale-date")
    #expect(desk.start { $0.source = Source(name: "a", priority: 0) }.outcome == .applied)
    let update = desk.update { $0.source = Source(name: "a", priority: 1) }
    #expect(update.code == .missingKey)
  }

  @Test("until the stale-date a lower priority from another or no source is outranked")
  func outranked() {
    lease()
    #expect(update(Source(name: "b", priority: 4)).code == .outranked)
    #expect(update(nil).code == .outranked)
    let refused = update(Source(name: "b", priority: 0))
    #expect(refused.code == .outranked)
    #expect(refused.refusal?.version == 1)
    #expect(desk["ride"]?.contentState == json("0"))
  }

  @Test("the same or a higher priority takes over", arguments: [5, 6])
  func takesOver(priority: Int64) {
    lease()
    #expect(update(Source(name: "b", priority: priority)).outcome == .applied)
    #expect(desk["ride"]?.source == Source(name: "b", priority: priority))
    #expect(update(Source(name: "a", priority: 4)).code == .outranked)
  }

  @Test("the holder may always go on, and gives the lease back with a lower priority")
  func holderGoesOn() {
    lease()
    #expect(update(Source(name: "a", priority: 0)).outcome == .applied)
    #expect(desk["ride"]?.source == Source(name: "a", priority: 0))
    #expect(update(nil, "2").outcome == .applied)
    #expect(desk["ride"]?.source == nil)
  }

  @Test("once stale, any source may take over")
  func stale() {
    lease()
    desk.now = at(299.999_999)
    #expect(update(nil).code == .outranked)
    desk.now = at(300)
    #expect(update(nil).outcome == .applied)
  }

  @Test("once stale, it holds no lease even when the clock is set back")
  func staleAndClockSetBack() {
    lease()
    desk.pass(to: 300)
    desk.now = at(290)
    #expect(update(nil).outcome == .applied)
  }

  @Test("a start with if-exists is outranked alike")
  func starts() {
    lease()
    for ifExists in [IfExists.update, .replace] {
      #expect(desk.start("ride", "1") { $0.ifExists = ifExists }.code == .outranked)
    }
    let replacing = desk.start("ride", "1") { start in
      start.ifExists = .replace
      start.source = Source(name: "b", priority: 6)
      start.stale = .at(at(400))
    }
    #expect(replacing.outcome == .applied)
  }

  @Test("end and cancel are never outranked")
  func endings() {
    lease()
    #expect(desk.end("ride", "9").outcome == .applied)
    #expect(desk.start("ride", "1").outcome == .applied)
    desk.start("other") { start in
      start.source = Source(name: "a", priority: 5)
      start.stale = .at(at(300))
    }
    #expect(desk.cancel("other").outcome == .applied)
  }
}
