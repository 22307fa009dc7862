internal import CLibUV
internal import Glibc

/// A connection over TCP or a Unix socket.
///
/// An open stream keeps itself and its delegate alive; after `close()` it lets go of both.
package final class Stream: Handle {
  /// What the connection runs over.
  package enum Kind: Sendable {
    case tcp
    case unix
  }

  /// Who is told what happens to the stream; to be set before anything is started.
  package var delegate: (any StreamDelegate)?

  /// Whether what `write` took is still being written.
  package internal(set) var isWriting = false

  /// The socket; it isn't this stream's any more once that is closing.
  let descriptor: CInt
  private var hasReachedEnd = false
  private var closesOnceShutDown = false

  /// Makes a stream of a connected socket, which it owns from now on, but not if it throws.
  package init(loop: Loop, adopting descriptor: CInt, kind: Kind) throws(UVError) {
    self.descriptor = descriptor
    switch kind {
    case .tcp:
      try unsafe super.init(size: MemoryLayout<uv_tcp_t>.size, "uv_tcp_init") { memory in
        unsafe uv_tcp_init(loop.raw, memory.assumingMemoryBound(to: uv_tcp_t.self))
      }
    case .unix:
      try unsafe super.init(size: MemoryLayout<uv_pipe_t>.size, "uv_pipe_init") { memory in
        unsafe uv_pipe_init(loop.raw, memory.assumingMemoryBound(to: uv_pipe_t.self), 0)
      }
    }
    do {
      try open(descriptor)
    } catch {
      close()
      throw error
    }
  }

  private func open(_ descriptor: CInt) throws(UVError) {
    switch kind {
    case .tcp:
      let tcp = unsafe memory.assumingMemoryBound(to: uv_tcp_t.self)
      try UVError.check(unsafe uv_tcp_open(tcp, descriptor), "uv_tcp_open")
    case .unix:
      let pipe = unsafe memory.assumingMemoryBound(to: uv_pipe_t.self)
      try UVError.check(unsafe uv_pipe_open(pipe, descriptor), "uv_pipe_open")
    }
  }

  var raw: UnsafeMutablePointer<uv_stream_t> {
    unsafe memory.assumingMemoryBound(to: uv_stream_t.self)
  }

  /// What the connection runs over.
  package var kind: Kind { unsafe raw.pointee.type == UV_TCP ? .tcp : .unix }

  /// The socket, which remains the stream's.
  package var fileDescriptor: CInt {
    get throws(UVError) {
      var descriptor: CInt = -1
      let handle = unsafe memory.assumingMemoryBound(to: uv_handle_t.self)
      try UVError.check(unsafe uv_fileno(handle, &descriptor), "uv_fileno")
      return descriptor
    }
  }

  override func didClose() {
    delegate?.streamClosed()
    delegate = nil
  }
}

// MARK: Reading

extension Stream {
  /// Whether the delegate is given what comes.
  package var isReading: Bool { isActive }

  /// Gives the delegate what comes, from the next turn on. Does nothing if it does so already, and
  /// after the end, a failure or `close()`.
  package func startReading() {
    guard !isClosing, !isReading, !hasReachedEnd else { return }
    let status = unsafe uv_read_start(
      raw,
      { handle, _, buffer in
        let stream = unsafe UnsafeMutableRawPointer(handle!).assumingMemoryBound(
          to: uv_stream_t.self)
        unsafe buffer!.pointee = Loop.owning(stream.pointee.loop).lendReadBuffer(to: stream)
      },
      { stream, count, buffer in
        unsafe Stream.owning(stream!).received(count, in: buffer!.pointee)
      })
    // Not connected: a failure, which the delegate has been told of.
    if status != UV_ENOTCONN.rawValue { mustSucceed(status) }
  }

  /// Leaves what comes in the kernel, so that a peer that sends too much must wait. Nothing is lost.
  package func stopReading() {
    mustSucceed(unsafe uv_read_stop(raw))
  }

  private func received(_ count: Int, in buffer: uv_buf_t) {
    if count > 0 {
      unsafe loop.readBufferWasUsed(by: raw, count: count)
      let bytes = unsafe UnsafeRawBufferPointer(start: buffer.base, count: count)
      unsafe delegate?.streamReceived(bytes.bytes)
    } else if count == Int(UV_EOF.rawValue) {
      hasReachedEnd = true
      delegate?.streamReachedEnd()
    } else if unsafe count < 0 && buffer.len > 0 {
      delegate?.streamFailed(UVError(code: CInt(count), operation: "read"))
    }
    // Else there was nothing to read after all, or the loop declined its buffer.
  }
}

// MARK: Ending

extension Stream {
  /// Tells the peer, after what is being written, that nothing more comes. Reading goes on.
  package func shutdown() {
    guard !isClosing else { return }
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    let status = unsafe uv_shutdown(request, raw) { request, _ in
      // Its status adds nothing: if the peer is gone, reading or writing tells.
      let stream = unsafe Stream.owning(request!.pointee.handle)
      unsafe request!.deallocate()
      if stream.closesOnceShutDown { stream.close() }
    }
    guard status < 0 else { return }
    unsafe request.deallocate()
    // Not connected: shut down before, or failed.
    if status != UV_ENOTCONN.rawValue { mustSucceed(status) }
  }

  /// Reads no more, and closes as soon as what is being written is written and the peer has been told
  /// that nothing more comes. A peer that doesn't read can hold this up until `close()`.
  package func finish() {
    guard !isClosing else { return }
    closesOnceShutDown = true
    stopReading()
    shutdown()
    let isShuttingDown = unsafe raw.pointee.shutdown_req != nil
    if !isShuttingDown { close() }
  }

  /// Says something to a new connection and closes it, without waiting for anything.
  package func hangUp(saying farewell: [UInt8]) {
    if let descriptor = try? fileDescriptor { say(farewell, lastOn: descriptor) }
    close()
  }
}
