import EventLoop
import Glibc
import Testing

@Suite struct StreamTests {
  @Test("bytes come as they were sent, and then the end")
  func receiving() throws {
    let loop = try Loop()
    let (one, other) = try loop.connectedEnds()
    other.recorder.react = { if $0 == .end { other.stream.close() } }
    other.stream.startReading()
    #expect(try one.stream.writeAll(pattern(100)))
    one.stream.close()
    loop.run()
    #expect(other.recorder.bytes == pattern(100))
    #expect(other.recorder.events == [.end, .closed])
    #expect(one.recorder.events == [.closed])
    try loop.close()
  }

  @Test("after the peer's half-close it can still be written to")
  func halfClose() throws {
    let loop = try Loop()
    let (one, other) = try loop.connectedEnds()
    one.recorder.react = { if $0 == .end { one.stream.close() } }
    other.recorder.react = { event in
      guard event == .end else { return }
      #expect(throws: Never.self) { try other.stream.writeAll(pattern(5_000)) }
      other.stream.close()
    }
    one.stream.startReading()
    other.stream.startReading()
    try one.stream.writeAll([1, 2, 3])
    one.stream.shutdown()
    one.stream.shutdown()
    loop.run()
    #expect(other.recorder.bytes == [1, 2, 3])
    #expect(one.recorder.bytes == pattern(5_000))
    try loop.close()
  }

  @Test("the end is told once, however often reading is started")
  func endOnce() throws {
    let loop = try Loop()
    let (one, other) = try loop.connectedEnds()
    one.stream.close()
    other.recorder.react = { if $0 == .end { other.stream.startReading() } }
    other.stream.startReading()
    other.stream.startReading()
    loop.run()
    #expect(other.recorder.events == [.end])
    #expect(!other.stream.isReading)
    try loop.closeWithHandles()
  }

  @Test("a reset is a failure of reading")
  func reset() throws {
    let loop = try Loop()
    let ends = try TCPConnection(loop: loop)
    ends.accepted.recorder.react = { if case .failed = $0 { ends.accepted.stream.close() } }
    ends.accepted.stream.startReading()
    ends.resetByClient()
    loop.run()
    #expect(ends.accepted.recorder.events == [.failed("ECONNRESET"), .closed])
    try loop.close()
  }

  @Test("a stream that has stopped reading is given nothing until it starts again")
  func backPressure() throws {
    let loop = try Loop()
    let (one, other) = try loop.connectedEnds()
    var turnsStopped = 0
    var readsWhileStopped = 0
    one.recorder.react = { if $0 == .drained { one.stream.close() } }
    other.recorder.react = { event in
      switch event {
      case .received:
        if !other.stream.isReading { readsWhileStopped += 1 }
        other.stream.stopReading()
        other.stream.stopReading()
      case .end: other.stream.close()
      default: break
      }
    }
    let ticker = try Ticker(loop: loop) {
      guard !other.stream.isReading else { return }
      turnsStopped += 1
      other.stream.startReading()
    }
    ticker.start(afterMilliseconds: 0, everyMilliseconds: 1)
    try one.stream.writeAll(pattern(1_000_000))
    other.recorder.react(.received)
    loop.onTurnEnd = { if other.stream.isClosing { ticker.close() } }
    loop.run()
    #expect(other.recorder.bytes == pattern(1_000_000))
    #expect(readsWhileStopped == 1, "only the test's own call")
    #expect(turnsStopped >= other.recorder.reads.count)
    try loop.close()
  }

  @Test("a flooding sender is read once a turn")
  func fairness() throws {
    let loop = try Loop()
    let ends = try TCPConnection(loop: loop)
    let sent = pattern(2_000_000)
    let client = ends.client
    let sender = TestThread { writeAll(sent, to: client) }
    ends.accepted.recorder.react = { if $0 == .end { ends.accepted.stream.close() } }
    ends.accepted.stream.startReading()
    var readsAtTurnEnd = 0
    var mostReadsInATurn = 0
    loop.onTurnEnd = {
      let reads = ends.accepted.recorder.reads.count
      mostReadsInATurn = max(mostReadsInATurn, reads - readsAtTurnEnd)
      readsAtTurnEnd = reads
    }
    loop.run()
    sender.join()
    #expect(ends.accepted.recorder.bytes == sent)
    #expect(mostReadsInATurn == 1)
    try loop.close()
  }

  @Test("a stream may be closed, twice even, in each call", arguments: [0, 1, 2, 3])
  func closingInACall(call: Int) throws {
    let loop = try Loop()
    let (one, other) = try loop.connectedEnds()
    let event = [Recorder.Event.received, .end, .drained, .closed][call]
    one.recorder.react = {
      guard $0 == event else { return }
      one.stream.close()
      one.stream.close()
      one.stream.stopReading()
      one.stream.startReading()
      one.stream.shutdown()
      one.stream.finish()
    }
    // A peer that closes before it has read everything may look like an end or like a reset.
    other.recorder.react = {
      switch $0 {
      case .end, .failed: other.stream.close()
      default: break
      }
    }
    try other.stream.writeAll([1])
    other.stream.startReading()
    one.stream.startReading()
    try one.stream.writeAll(pattern(1_000_000))
    if event == .end { other.stream.shutdown() }
    if event == .closed { one.stream.close() }
    loop.run()
    #expect(one.recorder.events.last == .closed)
    #expect(one.recorder.events.count { $0 == .closed } == 1)
    #expect(throws: UVError.self) { try one.stream.tryWrite([1]) }
    #expect(throws: UVError.self) { try one.stream.fileDescriptor }
    try loop.close()
  }

  @Test("a closed stream lets go of its delegate, and is freed")
  func release() throws {
    let loop = try Loop()
    weak var recorder: Recorder?
    weak var stream: Stream?
    do {
      let (one, other) = try loop.connectedEnds()
      (recorder, stream) = (one.recorder, one.stream)
      one.stream.startReading()
      other.stream.close()
    }
    loop.run()
    #expect(recorder?.events == [.end], "an open stream keeps itself and its delegate alive")
    stream?.close()
    loop.run()
    #expect(recorder == nil)
    #expect(stream == nil)
    try loop.close()
  }

  @Test("a descriptor that isn't open makes no stream, and leaves nothing behind")
  func badDescriptor() throws {
    let loop = try Loop()
    #expect(throws: UVError(errno: EBADF, operation: "uv_pipe_open")) {
      _ = try Stream(loop: loop, adopting: 1_000_000, kind: .unix)
    }
    #expect(throws: UVError(errno: EBADF, operation: "uv_tcp_open")) {
      _ = try Stream(loop: loop, adopting: 1_000_000, kind: .tcp)
    }
    try loop.close()
  }
}
