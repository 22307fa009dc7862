import EventLoop
import Testing

@Suite struct DeadlineTimerTests {
  /// Runs a loop with a timer that `set` sets up; `onFire` is given the number of the call, from 1, and
  /// the timer is closed when it returns false.
  private func run(
    _ set: (DeadlineTimer) -> Void, onFire: @escaping (DeadlineTimer, Int) -> Bool
  ) throws {
    let loop = try Loop()
    var timer: DeadlineTimer?
    var calls = 0
    timer = try DeadlineTimer(
      loop: loop,
      onFire: {
        calls += 1
        if let timer, !onFire(timer, calls) { timer.close() }
      }, onClockSet: {})
    if let timer { set(timer) }
    loop.run()
    try loop.close()
  }

  @Test("it fires once, and not early")
  func firing() throws {
    let deadline = DeadlineTimer.now + 20_000
    var firedAt: [Int64] = []
    try run {
      $0.arm(atMicroseconds: deadline)
    } onFire: { timer, call in
      firedAt.append(DeadlineTimer.now)
      if call == 1 { timer.arm(atMicroseconds: deadline + 10_000) }
      return call < 2
    }
    #expect(firedAt.count == 2)
    #expect(firedAt[0] >= deadline)
    #expect(firedAt[1] >= deadline + 10_000)
  }

  @Test("a deadline that has passed fires at once", arguments: [0, 1, -1, Int64.min, nil])
  func past(deadline: Int64?) throws {
    var calls = 0
    try run {
      $0.arm(atMicroseconds: deadline ?? DeadlineTimer.now - 1)
    } onFire: { _, _ in
      calls += 1
      return false
    }
    #expect(calls == 1)
  }

  @Test("the same past deadline fires again when it is armed again")
  func pastAgain() throws {
    var calls = 0
    try run {
      $0.arm(atMicroseconds: 5)
    } onFire: { timer, call in
      calls += 1
      timer.arm(atMicroseconds: 5)
      return call < 3
    }
    #expect(calls == 3)
  }

  @Test("arming anew replaces the deadline, be it by an earlier or a later one")
  func rearming() throws {
    let start = DeadlineTimer.now
    var firedAt: Int64 = 0
    try run {
      $0.arm(atMicroseconds: start + 3_600_000_000)
      $0.arm(atMicroseconds: start + 1_000)
      $0.arm(atMicroseconds: start + 30_000)
    } onFire: { _, _ in
      firedAt = DeadlineTimer.now
      return false
    }
    #expect(firedAt >= start + 30_000)
  }

  @Test(
    "without a deadline, or with one beyond all time, it doesn't fire", arguments: [nil, Int64.max])
  func disarming(deadline: Int64?) throws {
    let loop = try Loop()
    var calls = 0
    let timer = try DeadlineTimer(loop: loop, onFire: { calls += 1 }, onClockSet: {})
    timer.arm(atMicroseconds: DeadlineTimer.now + 5_000)
    timer.arm(atMicroseconds: deadline)
    let ticker = try Ticker(loop: loop) {
      timer.close()
      timer.arm(atMicroseconds: 1)
    }
    ticker.start(afterMilliseconds: 30)
    loop.run()
    #expect(calls == 0)
    try loop.closeWithHandles()
  }
}
