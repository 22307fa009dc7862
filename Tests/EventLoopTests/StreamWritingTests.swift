import EventLoop
import Glibc
import Synchronization
import Testing

@Suite struct StreamWritingTests {
  @Test(
    "more slices than the kernel takes in one call are written in order", arguments: [1, 500])
  func manySlices(bytesPerSlice: Int) throws {
    let loop = try Loop()
    let (one, other) = try loop.connectedEnds()
    let sent = pattern(2_500 * bytesPerSlice)
    other.recorder.react = { if $0 == .end { other.stream.close() } }
    other.stream.startReading()

    let taken = try unsafe sent.withUnsafeBytes { bytes in
      let slices = unsafe (0..<2_500).map { index in
        let start = index * bytesPerSlice
        return unsafe WriteSlice(.init(rebasing: bytes[start..<start + bytesPerSlice]))
      }
      return try unsafe withSlices(slices) { slices in
        #expect(unsafe slices.byteCount == sent.count)
        let taken = try unsafe one.stream.tryWrite(slices)
        if taken < sent.count { try unsafe one.stream.write(slices, from: taken) }
        return taken
      }
    }
    if bytesPerSlice == 1 { #expect(taken == sent.count) }
    one.stream.finish()
    loop.run()
    #expect(other.recorder.bytes == sent)
    try loop.close()
  }

  @Test("what the socket doesn't take is written as a slow reader reads, byte for byte")
  func slowReader() throws {
    let loop = try Loop()
    let (one, other) = try loop.connectedEnds()
    let first = pattern(700_000)
    let second = Array(pattern(900_000).reversed())
    var isSecondSent = false
    one.recorder.react = { event in
      guard event == .drained else { return }
      #expect(!one.stream.isWriting)
      if isSecondSent { return one.stream.close() }
      isSecondSent = true
      #expect(throws: Never.self) { try one.stream.writeAll(second) }
    }
    other.recorder.react = { event in
      if event == .received { other.stream.stopReading() }
      if event == .end { other.stream.close() }
    }
    let ticker = try Ticker(loop: loop) { other.stream.startReading() }
    ticker.start(afterMilliseconds: 1, everyMilliseconds: 1)

    #expect(try !one.stream.writeAll(first))
    #expect(one.stream.isWriting)
    #expect(try one.stream.tryWrite([0]) == 0, "nothing may overtake what is being written")
    loop.onTurnEnd = { if other.stream.isClosing { ticker.close() } }
    loop.run()
    #expect(other.recorder.bytes == first + second)
    #expect(one.recorder.events == [.drained, .drained, .closed])
    try loop.close()
  }

  @Test("nothing is left out or overtaken while the reader makes room between two calls")
  func readerMeanwhile() throws {
    let loop = try Loop()
    let (own, peer) = socketPair()
    let end = End(try Stream(loop: loop, adopting: own, kind: .unix))
    // The smallest buffer that the kernel allows, so that there is room only now and then.
    var size: CInt = 1
    unsafe setsockopt(own, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
    let sent = pattern(4_000_000)
    let received = Mutex<[UInt8]>([])
    let reader = TestThread {
      let bytes = readAll(from: peer)
      received.withLock { $0 = bytes }
    }
    try unsafe sent.withUnsafeBytes { bytes in
      let slices = unsafe stride(from: 0, to: sent.count, by: 100).map { start in
        unsafe WriteSlice(.init(rebasing: bytes[start..<start + 100]))
      }
      try unsafe withSlices(slices) { slices in
        let taken = try unsafe end.stream.tryWrite(slices)
        if taken < sent.count { try unsafe end.stream.write(slices, from: taken) }
      }
    }
    end.stream.finish()
    loop.run()
    reader.join()
    #expect(received.withLock { $0 } == sent)
    try loop.close()
  }

  @Test("closing during a write cancels it without a word but that it is closed")
  func closingWhileWriting() throws {
    let loop = try Loop()
    let (one, other) = try loop.connectedEnds()
    #expect(try !one.stream.writeAll(pattern(1_000_000)))
    one.stream.close()
    loop.run()
    #expect(one.recorder.events == [.closed])
    #expect(!one.stream.isWriting)
    other.stream.close()
    loop.run()
    try loop.close()
  }

  @Test("finishing first writes what is under way")
  func finishing() throws {
    let loop = try Loop()
    let (one, other) = try loop.connectedEnds()
    let sent = pattern(1_000_000)
    #expect(try !one.stream.writeAll(sent))
    one.stream.finish()
    #expect(!one.stream.isClosing)
    other.recorder.react = { if $0 == .end { other.stream.close() } }
    other.stream.startReading()
    loop.run()
    #expect(other.recorder.bytes == sent)
    #expect(one.recorder.events == [.drained, .closed])
    try loop.close()
  }

  @Test("finishing a stream that has been shut down closes it")
  func finishingAfterShutdown() throws {
    let loop = try Loop()
    let (one, other) = try loop.connectedEnds()
    let (two, _) = try loop.connectedEnds()
    other.recorder.react = { event in
      guard event == .end else { return }
      // By now the shutdown is over; that of the other stream is still to come.
      one.stream.finish()
      two.stream.shutdown()
      two.stream.finish()
    }
    other.stream.startReading()
    one.stream.shutdown()
    loop.run()
    #expect(one.recorder.events == [.closed])
    #expect(two.recorder.events == [.closed])
    try loop.closeWithHandles()
  }

  @Test("a peer that is gone fails the write under way, and what it sent can still be read")
  func writeFailure() throws {
    let loop = try Loop()
    let ends = try TCPConnection(loop: loop)
    let stream = ends.accepted.stream
    unsafe write(ends.client, "last words", 10)
    #expect(try !stream.writeAll([UInt8](repeating: 7, count: 20_000_000)))
    ends.accepted.recorder.react = { event in
      if case .writeFailed = event {
        #expect(!stream.isWriting)
        stream.startReading()
      }
      if event == .end { stream.close() }
      if case .failed = event { stream.close() }
    }
    // With unread bytes of ours in its buffer, the kernel resets the connection.
    close(ends.client)
    loop.run()
    #expect(ends.accepted.recorder.bytes == Array("last words".utf8))
    guard case .writeFailed(let name) = ends.accepted.recorder.events.first else {
      Issue.record("\(ends.accepted.recorder.events)")
      return
    }
    #expect(["EPIPE", "ECONNRESET"].contains(name))
    try loop.close()
  }

  @Test("writing after a shutdown, or to a peer that is gone, throws")
  func writingInVain() throws {
    let loop = try Loop()
    let (one, other) = try loop.connectedEnds()
    one.stream.shutdown()
    #expect(throws: UVError(errno: EPIPE, operation: "write")) { try one.stream.tryWrite([1]) }
    #expect(throws: UVError(errno: EPIPE, operation: "write")) {
      try unsafe [UInt8(1)].withUnsafeBytes { bytes in
        try unsafe withSlices([WriteSlice(bytes)]) { try unsafe one.stream.write($0) }
      }
    }
    #expect(!one.stream.isWriting)
    one.stream.close()
    loop.run()
    #expect(throws: UVError(errno: EPIPE, operation: "write")) { try other.stream.tryWrite([1]) }
    try loop.closeWithHandles()
  }

  @Test("a slice is laid out as the kernel's")
  func layout() {
    #expect(unsafe MemoryLayout<WriteSlice>.size == MemoryLayout<iovec>.size)
    let bytes = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: 64), count: 7)
    unsafe withUnsafeBytes(of: WriteSlice(bytes)) { raw in
      let vector = unsafe raw.load(as: iovec.self)
      #expect(unsafe vector.iov_base == UnsafeMutableRawPointer(bitPattern: 64))
      #expect(unsafe vector.iov_len == 7)
    }
  }

  @Test("no slices are no bytes")
  func noSlices() throws {
    let loop = try Loop()
    let (one, _) = try loop.connectedEnds()
    #expect(try unsafe withSlices([]) { try unsafe one.stream.tryWrite($0) } == 0)
    #expect(try one.stream.tryWrite([]) == 0)
    try loop.closeWithHandles()
  }
}
