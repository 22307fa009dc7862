import ActivityCore
import Testing

@Suite("Limits")
struct LimitTests {
  @Test("attributes and content-state together may have 4,096 bytes")
  func payload() {
    let desk = Desk()
    let fits = "\"" + String(repeating: "x", count: 4_096 - 2 - 2) + "\""
    #expect(desk.start("ride", fits).outcome == .applied)
    let refused = desk.start("other", fits + " ")
    #expect(refused.code == .payloadTooLarge)
    #expect(refused.refusal?.message.contains("4097") ?? false)
    #expect(refused.refusal?.message.contains("4096") ?? false)
  }

  @Test("an update counts with the attributes it was started with")
  func payloadOfUpdate() {
    let desk = Desk { $0.payloadBytesMax = 20 }
    desk.start { $0.attributes = json(#"{"n":123456}"#) }
    #expect(desk.update("ride", "12345678").outcome == .applied)
    #expect(desk.update("ride", "123456789").code == .payloadTooLarge)
    #expect(desk.end("ride", "123456789").code == .payloadTooLarge)
    #expect(desk["ride"]?.state == .active)
  }

  @Test("what would make the start event longer than 8,192 bytes is too large, alerts included")
  func startLine() {
    let desk = Desk()
    let content = "\"" + String(repeating: "x", count: 4_000) + "\""
    let text = json("\"" + String(repeating: "y", count: 1_000) + "\"")
    let links = json("\"" + String(repeating: "z", count: 2_000) + "\"")
    let fits = desk.start("ride", content) { start in
      start.url = text
      start.links = links
    }
    #expect(fits.outcome == .applied)
    #expect(desk.update { $0.alert = text }.code == .payloadTooLarge)
    #expect(desk.end { $0.alert = text }.code == .payloadTooLarge)
    let refused = desk.start("other", content) { start in
      start.url = text
      start.links = links
      start.alert = text
    }
    #expect(refused.code == .payloadTooLarge)
    #expect(refused.refusal?.message.contains("8192") ?? false)
  }

  @Test("beyond the limit on activities nothing new starts; what is there goes on")
  func activities() {
    let desk = Desk { $0.activitiesMax = 2 }
    desk.start("a")
    desk.start("b") { $0.start = .after(.hours(1)) }
    #expect(desk.start("c").code == .limitReached)
    #expect(desk.start("a").outcome == .noop)
    #expect(desk.start("a") { $0.ifExists = .replace }.outcome == .applied)
    #expect(desk.update("a", "1").outcome == .applied)
    desk.end("a")
    #expect(desk.start("c").code == .limitReached)
    #expect(desk.start("a").outcome == .applied)
    desk.cancel("b")
    #expect(desk.coordinator.activityCount == 1)
    #expect(desk.start("c").outcome == .applied)
    #expect(desk.start("b").code == .limitReached)
  }

  @Test("beyond the limit on idempotency keys every write with a new key is refused, noops too")
  func outcomes() {
    let desk = Desk { $0.outcomesMax = 0 }
    desk.start("live")
    desk.start("ended")
    desk.end("ended")
    desk.start("gone")
    desk.cancel("gone")
    let commands: [(Command, String)] = [
      (.start(Start(attributesType: "Ride", contentState: json("0"))), "new"),
      (.start(Start(attributesType: "Ride", contentState: json("0"))), "live"),
      (.update(Update()), "live"),
      (.end(End()), "live"), (.end(End()), "ended"), (.end(End()), "gone"),
      (.cancel(Cancel()), "live"), (.cancel(Cancel()), "gone"),
    ]
    for (command, id) in commands {
      let verdict = desk.decide(command, id: id, keepsOutcome: true)
      #expect(verdict.code == .limitReached, "\(command) on \(id)")
      #expect(verdict.refusal?.key == "idempotency-key")
      #expect(verdict.mutations.isEmpty)
    }
    #expect(desk.decide(.update(Update()), id: "live").outcome == .noop)
  }

  @Test("the event limit grows with a raised payload limit")
  func eventLimit() {
    var limits = Limits()
    #expect(limits.eventBytesMax == 8_192)
    limits.payloadBytesMax = 10_000
    #expect(limits.eventBytesMax == 8_192 + 5_904)
    limits.payloadBytesMax = 100
    #expect(limits.eventBytesMax == 8_192)
  }

  @Test("what can be retried unchanged says so")
  func retryable() {
    let retryable = ErrorCode.allCases.filter(\.isRetryable)
    #expect(retryable == [.limitReached, .storageUnavailable, .shuttingDown])
  }
}
