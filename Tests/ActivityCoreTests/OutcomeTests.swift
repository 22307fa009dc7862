import ActivityCore
import Testing

@Suite("Idempotency keys")
struct OutcomeTests {
  let desk = Desk()

  private let key = OutcomeKey(scope: "uid 1000", key: "k")

  private func digest(_ text: String) -> Digest {
    var digest = Digest()
    digest.add(text)
    return digest
  }

  private func outcome(_ key: OutcomeKey, _ request: String, expiresAt: Instant) -> KeptOutcome {
    KeptOutcome(
      key: key, request: digest(request), expiresAt: expiresAt, op: "start", applied: true,
      ignored: [], told: Told(id: "ride"))
  }

  private func recall(_ key: OutcomeKey, _ request: String) -> Recollection {
    desk.coordinator.recall(key, request: digest(request), at: desk.now)
  }

  @Test("a new key is unknown; scopes don't share keys")
  func unknown() {
    #expect(recall(key, "a") == .none)
    desk.coordinator.land(outcome(key, "a", expiresAt: at(600)))
    #expect(recall(OutcomeKey(scope: "uid 1001", key: "k"), "a") == .none)
  }

  @Test("while the first is staged, the same request shares its batch; another conflicts")
  func staged() {
    desk.coordinator.stage(key, request: digest("a"))
    #expect(recall(key, "a") == .staged(batch: 1))
    #expect(recall(key, "b") == .conflict)
  }

  @Test("once durable, the same request is given the kept answer; another conflicts")
  func kept() {
    let outcome = outcome(key, "a", expiresAt: at(600))
    desk.coordinator.stage(key, request: digest("a"))
    desk.coordinator.land(outcome)
    desk.coordinator.finishLanding()
    #expect(recall(key, "a") == .kept(outcome))
    #expect(recall(key, "b") == .conflict)
    desk.coordinator.dropStaged()
    #expect(recall(key, "a") == .kept(outcome))
  }

  @Test("what is dropped is as if it had never been asked")
  func dropped() {
    desk.coordinator.stage(key, request: digest("a"))
    desk.fail()
    #expect(recall(key, "b") == .none)
  }

  @Test("landing one batch leaves the keys that a later one has staged")
  func laterBatch() {
    let other = OutcomeKey(scope: "uid 1000", key: "other")
    desk.holds = true
    desk.coordinator.stage(key, request: digest("a"))
    desk.gather([.outcome(outcome(key, "a", expiresAt: at(600)))])
    desk.closeBatch()
    desk.coordinator.stage(other, request: digest("b"))
    desk.land()
    #expect(recall(other, "b") == .staged(batch: 2))
    desk.fail()
    #expect(recall(other, "b") == .none)
    #expect(recall(key, "a") == .kept(outcome(key, "a", expiresAt: at(600))))
  }

  @Test("it is kept until it expires and no longer")
  func expires() {
    desk.coordinator.land(outcome(key, "a", expiresAt: at(600)))
    desk.now = at(599.999_999)
    #expect(recall(key, "b") == .conflict)
    desk.now = at(600)
    #expect(recall(key, "a") == .none)
    #expect(recall(key, "b") == .none)
  }

  @Test("with nothing else due, expired ones are removed a minute later, together")
  func removed() {
    for index in 0..<50 {
      let key = OutcomeKey(scope: "s", key: "\(index)")
      desk.coordinator.land(outcome(key, "a", expiresAt: at(600 + Double(index))))
    }
    #expect(desk.coordinator.nextDeadline == at(660))
    #expect(desk.pass(to: 659.999_999).isEmpty)
    #expect(desk.pass(to: 660) == [.expireOutcomes(at(660))])
    #expect(desk.coordinator.nextDeadline == nil)
  }

  @Test("an expired one is there until its removal is durable, and stays if that fails")
  func removalFails() {
    desk.coordinator.land(outcome(key, "a", expiresAt: at(600)))
    desk.holds = true
    #expect(desk.pass(to: 660) == [.expireOutcomes(at(660))])
    #expect(desk.coordinator.kept(key) != nil)
    #expect(desk.coordinator.nextDeadline == nil)
    desk.fail()
    #expect(desk.coordinator.nextDeadline == at(660))
    desk.holds = false
    desk.pass(to: 660)
    #expect(desk.coordinator.kept(key) == nil)
  }

  @Test("a key used again after it expired is not removed with its first use")
  func usedAgain() {
    desk.coordinator.land(outcome(key, "a", expiresAt: at(600)))
    desk.now = at(601)
    desk.coordinator.stage(key, request: digest("b"))
    desk.coordinator.land(outcome(key, "b", expiresAt: at(1_201)))
    desk.coordinator.finishLanding()
    desk.pass(to: 660)
    #expect(recall(key, "b") == .kept(outcome(key, "b", expiresAt: at(1_201))))
    #expect(desk.coordinator.nextDeadline == at(1_261))
  }

  @Test("expired ones make room below the limit")
  func room() {
    let desk = Desk { $0.outcomesMax = 1 }
    desk.start()
    desk.coordinator.land(outcome(key, "a", expiresAt: at(600)))
    let command = Command.update(Update())
    #expect(desk.decide(command, id: "ride", keepsOutcome: true).code == .limitReached)
    desk.pass(to: 660)
    #expect(desk.decide(command, id: "ride", keepsOutcome: true).outcome == .noop)
  }

  @Test("restored in any order, they expire in order of time")
  func restored() {
    for (index, seconds) in [700.0, 600, 650].enumerated() {
      let key = OutcomeKey(scope: "s", key: "\(index)")
      desk.coordinator.land(outcome(key, "a", expiresAt: at(seconds)))
    }
    desk.coordinator.finishRestoring()
    #expect(desk.coordinator.nextDeadline == at(660))
    #expect(desk.pass(to: 660) == [.expireOutcomes(at(660))])
    #expect(desk.coordinator.nextDeadline == at(760))
  }

  @Test("an answer tells only the dates still ahead")
  func told() throws {
    desk.start("p") { start in
      start.start = .at(at(600))
      start.stale = .at(at(900))
    }
    desk.start("s") { $0.stale = .at(at(-1)) }
    desk.start("e")
    desk.end("e")
    let pending = Told(try #require(desk["p"]))
    #expect((pending.startDate, pending.staleDate) == (at(600), at(900)))
    #expect((pending.endDate, pending.dismissalDate) == (at(600 + hours(8)), nil))
    let stale = Told(try #require(desk["s"]))
    #expect((stale.startDate, stale.staleDate, stale.endDate) == (nil, nil, at(hours(8))))
    let ended = Told(try #require(desk["e"]))
    #expect((ended.endDate, ended.dismissalDate) == (nil, at(hours(4))))
    #expect((ended.id, ended.generation, ended.version, ended.seq) == ("e", 3, 2, 4))
  }
}
