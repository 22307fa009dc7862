import ActivityCore
import Testing

@Suite("Timestamps")
struct TimestampTests {
  let desk = Desk()

  @Test("without a timestamp the watermark is now, or stays where it is ahead of now")
  func absent() {
    desk.start()
    #expect(desk["ride"]?.watermark == at(0))
    desk.now = at(10)
    desk.update("ride", "1") { $0.timestamp = stamp(40) }
    #expect(desk["ride"]?.watermark == at(40))
    desk.now = at(20)
    #expect(desk.update("ride", "2").outcome == .applied)
    #expect(desk["ride"]?.watermark == at(40))
  }

  @Test("strictly older is out of order; equal is accepted in order of arrival")
  func order() {
    desk.start { $0.timestamp = stamp(0.5) }
    #expect(desk.update("ride", "1") { $0.timestamp = stamp(0.499_999) }.code == .outOfOrder)
    #expect(desk["ride"]?.contentState == json("0"))
    #expect(desk.update("ride", "2") { $0.timestamp = stamp(0.5) }.outcome == .applied)
    #expect(desk.update("ride", "3") { $0.timestamp = stamp(0.5) }.outcome == .applied)
    #expect(desk["ride"]?.contentState == json("3"))
  }

  @Test("one without a fraction is compared in whole seconds and doesn't lower the watermark")
  func wholeSeconds() {
    desk.now = at(5.75)
    desk.start()
    #expect(desk.update("ride", "1") { $0.timestamp = stamp(5) }.outcome == .applied)
    #expect(desk["ride"]?.watermark == at(5.75))
    #expect(desk.update("ride", "2") { $0.timestamp = stamp(4) }.code == .outOfOrder)
    #expect(desk.update("ride", "2") { $0.timestamp = stamp(5.5) }.code == .outOfOrder)
  }

  @Test("more than 60 s ahead of now is refused")
  func future() {
    #expect(desk.start { $0.timestamp = stamp(60.000_001) }.code == .timestampInFuture)
    #expect(desk.start { $0.timestamp = stamp(60) }.outcome == .applied)
    #expect(desk.update("ride", "1") { $0.timestamp = stamp(61) }.code == .timestampInFuture)
    #expect(desk.end { $0.timestamp = stamp(61) }.code == .timestampInFuture)
    #expect(desk.cancel { $0.timestamp = stamp(61) }.code == .timestampInFuture)
    desk.cancel()
    #expect(desk.cancel { $0.timestamp = stamp(61) }.code == .timestampInFuture)
  }

  @Test("a watermark far ahead of now shows that the clock was set back, and is forgotten")
  func clockSetBack() {
    desk.now = at(1_000)
    desk.start()
    desk.now = at(940)
    #expect(desk.update("ride", "1") { $0.timestamp = stamp(940) }.code == .outOfOrder)
    desk.now = at(939)
    #expect(desk.update("ride", "1") { $0.timestamp = stamp(900) }.outcome == .applied)
    #expect(desk["ride"]?.watermark == at(900))
    #expect(desk.end { $0.timestamp = stamp(890) }.outcome == .applied)
  }

  @Test("a noop with a newer timestamp raises the watermark, not the version")
  func noopRaises() {
    desk.start()
    #expect(desk.update { $0.timestamp = stamp(30) }.outcome == .noop)
    #expect(desk["ride"]?.watermark == at(30))
    #expect(desk["ride"]?.version == 1)
    #expect(desk.seq == 1)
    #expect(desk.update("ride", "1") { $0.timestamp = stamp(29) }.code == .outOfOrder)
  }

  @Test("an end between start and watermark ends, without its content, and says so")
  func lateEnd() {
    desk.start { $0.timestamp = stamp(0) }
    desk.update("ride", "1") { $0.timestamp = stamp(20) }
    let verdict = desk.end("ride", "9") { $0.timestamp = stamp(10) }
    #expect(verdict.outcome == .applied)
    #expect(verdict.ignored == ["content-state"])
    #expect(desk["ride"]?.state == .ended)
    #expect(desk["ride"]?.contentState == json("1"))
    #expect(desk["ride"]?.watermark == at(20))
  }

  @Test("an end or cancel from before the start of this generation is out of order")
  func endOfAnEarlierGeneration() {
    desk.start { $0.timestamp = stamp(10) }
    #expect(desk.end { $0.timestamp = stamp(9) }.code == .outOfOrder)
    #expect(desk.cancel { $0.timestamp = stamp(9.5) }.code == .outOfOrder)
    #expect(desk.end { $0.timestamp = stamp(10) }.outcome == .applied)
    #expect(desk.cancel { $0.timestamp = stamp(9) }.code == .outOfOrder)
    #expect(desk.cancel { $0.timestamp = stamp(10) }.outcome == .applied)
  }

  @Test("an end or cancel raises the watermark, so that an older start can't undo it")
  func endingsRaise() {
    desk.start { $0.timestamp = stamp(0) }
    desk.cancel { $0.timestamp = stamp(20) }
    #expect(desk["ride"]?.watermark == at(20))
    #expect(desk.start { $0.timestamp = stamp(19) }.code == .outOfOrder)
    #expect(desk.cancel { $0.timestamp = stamp(30) }.outcome == .noop)
    #expect(desk.start { $0.timestamp = stamp(29) }.code == .outOfOrder)

    desk.start("other") { $0.timestamp = stamp(0) }
    desk.end("other") { $0.timestamp = stamp(20) }
    #expect(desk.end("other") { $0.timestamp = stamp(30) }.outcome == .noop)
    #expect(desk.start("other") { $0.timestamp = stamp(29) }.code == .outOfOrder)

    desk.start("pending") { start in
      start.timestamp = stamp(0)
      start.start = .after(.hours(1))
    }
    desk.end("pending") { $0.timestamp = stamp(20) }
    #expect(desk.start("pending") { $0.timestamp = stamp(19) }.code == .outOfOrder)
  }

  @Test("a refusal leaves the watermark")
  func refusalLeavesIt() {
    desk.start()
    let refused = desk.update("ride", "1") { update in
      update.timestamp = stamp(30)
      update.contentState = json(String(repeating: "1", count: 5_000))
    }
    #expect(refused.code == .payloadTooLarge)
    #expect(desk["ride"]?.watermark == at(0))
  }

  @Test("whole seconds are floors before 1970 too")
  func wholeSecond() {
    #expect(Instant(microseconds: -1).wholeSecond == Instant(seconds: -1))
    #expect(Instant(microseconds: 1_999_999).wholeSecond == Instant(seconds: 1))
    #expect(Instant(seconds: -3).wholeSecond == Instant(seconds: -3))
  }
}
