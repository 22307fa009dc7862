import EventLoop
import Testing

@Suite struct TickerTests {
  @Test("a ticker ticks on until stopped, and can be started again")
  func ticking() throws {
    let loop = try Loop()
    var ticks = 0
    var ticker: Ticker?
    ticker = try Ticker(loop: loop) {
      ticks += 1
      if ticks == 3 { ticker?.stop() }
      if ticks == 4 { ticker?.close() }
    }
    ticker?.start(afterMilliseconds: 1, everyMilliseconds: 1)
    #expect(ticker?.isStarted == true)
    loop.run()
    #expect(ticks == 3)
    #expect(ticker?.isStarted == false)
    ticker?.start(afterMilliseconds: 0)
    loop.run()
    #expect(ticks == 4)
    try loop.close()
  }

  @Test("a single tick isn't early, even if the turn has been long")
  func notEarly() throws {
    let loop = try Loop()
    let clock = ContinuousClock()
    var startedAt = clock.now
    var tickedAt: ContinuousClock.Instant?
    let late = try Ticker(loop: loop) { tickedAt = clock.now }
    let early = try Ticker(loop: loop) {
      // The loop's own clock doesn't notice this.
      let begin = clock.now
      while clock.now - begin < .milliseconds(30) {}
      startedAt = clock.now
      late.start(afterMilliseconds: 30)
    }
    early.start(afterMilliseconds: 1)
    loop.run()
    // libuv counts whole milliseconds.
    #expect(try #require(tickedAt) - startedAt >= .milliseconds(28))
    try loop.closeWithHandles()
  }
}
