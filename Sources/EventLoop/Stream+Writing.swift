internal import CLibUV
internal import Glibc

/// Bytes to be written, where they are. It has the layout of `uv_buf_t` and `iovec`.
@unsafe
package struct WriteSlice {
  /// Where the bytes begin; they stay the caller's.
  package var base: UnsafeRawPointer?
  /// How many they are.
  package var count: Int

  /// A slice of `bytes`, which must stay where they are while it is used.
  package init(_ bytes: UnsafeRawBufferPointer) {
    unsafe base = bytes.baseAddress
    unsafe count = bytes.count
  }
}

extension Stream {
  /// The most slices that the kernel takes in one call (its `IOV_MAX`).
  private static let slicesPerCall = 1_024

  /// Writes as much as the socket takes now; answers how many bytes that was, 0 while `isWriting`.
  /// Copies nothing and allocates nothing.
  ///
  /// - Throws: what the socket answered, as `EPIPE`; some of the bytes may have been written.
  package func tryWrite(_ slices: UnsafeBufferPointer<WriteSlice>) throws(UVError) -> Int {
    var written = 0
    var next = 0
    while next < slices.count {
      let end = min(next + Self.slicesPerCall, slices.count)
      let batch = unsafe UnsafeBufferPointer(rebasing: slices[next..<end])
      let taken = try unsafe tryWriteOnce(batch)
      written += taken
      next = end
      // The last batch needn't be counted.
      if next < slices.count, unsafe taken < batch.byteCount { break }
    }
    return written
  }

  /// `sendmsg` instead of `uv_try_write`, which calls `writev`: a socket that is written to as such
  /// spares the kernel what it does for files, a tenth of the cost of a short write.
  private func tryWriteOnce(_ slices: UnsafeBufferPointer<WriteSlice>) throws(UVError) -> Int {
    // Not once it is closed, when the descriptor may be another's, or shut down.
    guard unsafe uv_is_writable(raw) != 0 else { throw UVError(errno: EPIPE, operation: "write") }
    guard !isWriting else { return 0 }
    var message = unsafe msghdr()
    unsafe message.msg_iov = UnsafeMutableRawPointer(mutating: slices.baseAddress!)
      .assumingMemoryBound(to: iovec.self)
    unsafe message.msg_iovlen = slices.count
    while true {
      let count = unsafe sendmsg(descriptor, &message, Self.sendFlags)
      if count >= 0 { return count }
      guard errno != EINTR else { continue }
      guard errno == EAGAIN else { throw UVError(errno: errno, operation: "write") }
      return 0
    }
  }

  private static let sendFlags = CInt(MSG_NOSIGNAL | MSG_DONTWAIT)

  /// What `write` took and the peer hasn't: in bytes, as far as the kernel tells.
  ///
  /// Over TCP that is what isn't acknowledged, over a Unix socket what isn't read.
  package var unreadBytes: Int {
    var inKernel: CInt = 0
    guard let descriptor = try? fileDescriptor,
      unsafe ioctl(descriptor, UInt(TIOCOUTQ), &inKernel) == 0
    else { return 0 }
    return unsafe Int(inKernel) + uv_stream_get_write_queue_size(raw)
  }

  /// Copies all but the first `offset` bytes of `slices`, at least one, and writes them as the socket
  /// takes them; the delegate is then told that the stream is drained. One such write at a time.
  ///
  /// - Throws: what the socket answered, as `EPIPE`; nothing is then being written.
  package func write(
    _ slices: UnsafeBufferPointer<WriteSlice>, from offset: Int = 0
  ) throws(UVError) {
    precondition(!isWriting, "a stream has one write under way at a time")
    let count = unsafe slices.byteCount - offset
    precondition(offset >= 0 && count > 0, "there is nothing left to write")

    // One allocation: the request, and behind it the bytes.
    let requestSize = unsafe MemoryLayout<uv_write_t>.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: requestSize + count, alignment: 16)
    let request = unsafe memory.bindMemory(to: uv_write_t.self, capacity: 1)
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: memory + requestSize, count: count)
    unsafe slices.copyBytes(from: offset, to: bytes)
    var buffer = unsafe uv_buf_t(
      base: bytes.baseAddress!.assumingMemoryBound(to: CChar.self), len: count)

    let status = unsafe uv_write(request, raw, &buffer, 1) { request, status in
      let stream = unsafe Stream.owning(request!.pointee.handle)
      unsafe request!.deallocate()
      stream.writeEnded(status)
    }
    guard status == 0 else {
      unsafe request.deallocate()
      throw UVError(code: status, operation: "write")
    }
    isWriting = true
  }

  private func writeEnded(_ status: CInt) {
    isWriting = false
    if status == 0 {
      delegate?.streamDrained()
    } else if !isClosing {
      delegate?.streamWriteFailed(UVError(code: status, operation: "write"))
    }
    // Else the write was cancelled by `close()`.
  }
}

extension UnsafeBufferPointer<WriteSlice> {
  /// The sum of the slices' bytes.
  package var byteCount: Int {
    unsafe reduce(0) { unsafe $0 + $1.count }
  }

  /// Copies all but the first `offset` bytes, which are just as many as `target` holds.
  fileprivate func copyBytes(from offset: Int, to target: UnsafeMutableRawBufferPointer) {
    var skipped = offset
    var next = target.baseAddress!
    for index in indices {
      let slice = unsafe self[index]
      let skip = unsafe Swift.min(skipped, slice.count)
      skipped -= skip
      let rest = unsafe slice.count - skip
      guard rest > 0 else { continue }
      unsafe next.copyMemory(from: slice.base! + skip, byteCount: rest)
      unsafe next += rest
    }
  }
}
