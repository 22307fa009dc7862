import EventLoop
import Glibc
import Testing

@Suite struct LoopTests {
  @Test("an empty loop runs to its end and closes")
  func empty() throws {
    let loop = try Loop()
    #expect(!loop.run())
    try loop.close()
  }

  @Test("a loop with an open handle can't be closed until the handle is")
  func closingTooEarly() throws {
    let loop = try Loop()
    let ticker = try Ticker(loop: loop) {}
    #expect(throws: UVError(errno: EBUSY, operation: "uv_loop_close")) { try loop.close() }
    ticker.close()
    try loop.close()
  }

  @Test("closing all handles closes each kind, and lets go of their handlers")
  func closingAll() throws {
    final class Witness {}
    let loop = try Loop()
    weak var witness: Witness?
    do {
      let strong = Witness()
      witness = strong
      _ = try Ticker(loop: loop) { _ = strong }.start(afterMilliseconds: 1_000_000)
      _ = try DeadlineTimer(loop: loop, onFire: { _ = strong }, onClockSet: { _ = strong })
      _ = try Waker<Int>(loop: loop) { _ in _ = strong }
      _ = try Listener(
        loop: loop, address: .tcp(host: "127.0.0.1", port: 0),
        onConnection: { _ in _ = strong }, onFailure: { _ in _ = strong })
      let (one, other) = try loop.connectedEnds()
      for end in [one, other] {
        end.recorder.react = { _ in _ = strong }
        end.stream.startReading()
      }
    }
    #expect(witness != nil)
    try loop.closeWithHandles()
    #expect(witness == nil)
  }

  @Test("the end of a turn is told once a turn, after the turn's handlers")
  func turnEnd() throws {
    let loop = try Loop()
    var log: [String] = []
    var ticker: Ticker?
    ticker = try Ticker(loop: loop) {
      log.append("tick")
      if log.count(where: { $0 == "tick" }) == 3 { ticker?.close() }
    }
    loop.onTurnEnd = { log.append("end") }
    ticker?.start(afterMilliseconds: 1, everyMilliseconds: 1)
    loop.run()
    // There may be turns without a tick.
    #expect(log.count { $0 == "tick" } == 3)
    #expect(!zip(log, log.dropFirst()).contains { $0 == ("tick", "tick") })
    #expect(log.last == "end")
    try loop.close()
  }

  @Test("what the end of a turn starts is served without another event")
  func workAtTurnEnd() throws {
    let loop = try Loop()
    let (one, other) = try loop.connectedEnds()
    let large = pattern(3_000_000)
    var isSent = false
    loop.onTurnEnd = {
      guard !isSent else { return }
      isSent = true
      #expect(throws: Never.self) { try one.stream.writeAll(large) }
    }
    one.recorder.react = { if $0 == .drained { one.stream.close() } }
    other.recorder.react = { if $0 == .end { other.stream.close() } }
    other.stream.startReading()
    loop.run()
    #expect(other.recorder.bytes == large)
    try loop.close()
  }

  @Test("stopping ends the run and leaves handles open")
  func stopping() throws {
    let loop = try Loop()
    var ticks = 0
    let ticker = try Ticker(loop: loop) {
      ticks += 1
      loop.stop()
    }
    ticker.start(afterMilliseconds: 0, everyMilliseconds: 1)
    #expect(loop.run())
    #expect(ticks == 1)
    #expect(loop.run())
    #expect(ticks == 2)
    try loop.closeWithHandles()
  }

  @Test("a turn's time is that of its work, not of its waiting")
  func turnTimes() throws {
    let loop = try Loop()
    var turns: [UInt64] = []
    var ticks = 0
    var ticker: Ticker?
    ticker = try Ticker(loop: loop) {
      turns.append(loop.lastTurnNanoseconds)
      ticks += 1
      if ticks == 5 { usleep(20_000) }
      if ticks == 7 { ticker?.close() }
    }
    ticker?.start(afterMilliseconds: 100, everyMilliseconds: 100)
    loop.run()
    #expect(loop.longestTurnNanoseconds >= 20_000_000)
    #expect(turns.contains { $0 >= 20_000_000 })
    // Each of them waited 100 ms.
    #expect(turns.min()! < 100_000_000)
    loop.resetLongestTurn()
    #expect(loop.longestTurnNanoseconds == 0)
    try loop.close()
  }
}
