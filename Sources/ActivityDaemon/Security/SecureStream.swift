internal import Cryptography
internal import EventLoop
internal import Glibc

/// A connection over TLS: between the session, which reads and writes plain lines, and the socket.
///
/// Until the handshake is over it has no session, and what comes waits for its turn among the
/// `handshakes`. Afterwards it is as bounded as a plain stream: what is written is encrypted at once,
/// and what the socket doesn't take of that is one write under way.
final class SecureStream {
  let stream: EventLoop.Stream
  let channel: SecureChannel
  private unowned let handshakes: Handshakes
  /// Nil until the handshake is over, and after the close.
  private var session: Session?
  private var isInputOver = false
  /// What the channel had to say by itself while a write was under way.
  private var waiting: [UInt8] = []
  private var shutsDownOnceWritten = false

  /// The little that a channel says by itself, as to refuse a renegotiation; a peer that provokes
  /// more and doesn't read it is given up.
  private static let waitingBytesMax = 16_384

  init(_ stream: EventLoop.Stream, _ channel: SecureChannel, handshakes: Handshakes) {
    self.stream = stream
    self.channel = channel
    self.handshakes = handshakes
  }

  /// The handshake is over: from now on `session` is told what comes, and first what came with the
  /// handshake's end.
  func open(for session: Session) {
    self.session = session
    tell(session)
    stream.startReading()
  }

  /// Sends what the channel has to say.
  func flush() throws(UVError) {
    try unsafe channel.takeOutput { (bytes) throws(UVError) in try unsafe send(bytes) }
  }

  private func send(_ bytes: UnsafeRawBufferPointer) throws(UVError) {
    guard unsafe !bytes.isEmpty else { return }
    guard !stream.isWriting else {
      unsafe waiting.append(contentsOf: bytes)
      guard waiting.count <= Self.waitingBytesMax else {
        throw UVError(errno: ENOBUFS, operation: "write")
      }
      return
    }
    var slice = unsafe WriteSlice(bytes)
    try unsafe withUnsafePointer(to: &slice) { (slice) throws(UVError) in
      let slices = unsafe UnsafeBufferPointer(start: slice, count: 1)
      let taken = try unsafe stream.tryWrite(slices)
      if taken < bytes.count { try unsafe stream.write(slices, from: taken) }
    }
  }
}

// MARK: - For the session

extension SecureStream: Transport {
  var isWriting: Bool { stream.isWriting }

  var unreadBytes: Int { stream.unreadBytes }

  var peerAddress: String? { stream.peerAddress }

  /// Takes everything, or nothing while something is being written.
  func tryWrite(_ slices: UnsafeBufferPointer<WriteSlice>) throws(UVError) -> Int {
    guard !isWriting else { return 0 }
    try unsafe write(slices, from: 0)
    return unsafe slices.byteCount
  }

  func write(_ slices: UnsafeBufferPointer<WriteSlice>, from offset: Int) throws(UVError) {
    precondition(!isWriting, "one write is under way at a time")
    guard channel.canWrite else { throw UVError(errno: EPIPE, operation: "write") }
    var skipped = offset
    for index in slices.indices {
      let slice = unsafe slices[index]
      let bytes = unsafe UnsafeRawBufferPointer(start: slice.base, count: slice.count)
      let skip = min(skipped, bytes.count)
      skipped -= skip
      unsafe channel.write(UnsafeRawBufferPointer(rebasing: bytes[skip...]))
    }
    channel.finishWriting()
    try flush()
  }

  func startReading() { stream.startReading() }

  func stopReading() { stream.stopReading() }

  func shutdown() {
    endChannel()
    if waiting.isEmpty { stream.shutdown() } else { shutsDownOnceWritten = true }
  }

  func close() {
    endChannel()
    stream.close()
  }

  /// Tells the peer that nothing was cut off.
  private func endChannel() {
    channel.end()
    // A socket that takes nothing any more is about to be closed anyway.
    try? flush()
  }
}

// MARK: - From the socket

extension SecureStream: StreamDelegate {
  func streamReceived(_ bytes: RawSpan) {
    guard let session else { return handshakes.received(bytes, from: self) }
    guard !isInputOver else { return }
    do throws(SecurityError) {
      try channel.receive(bytes)
      tell(session)
    } catch {
      session.hub.log.securityFailed(session, error.reason)
      tell(session)
      session.hub.writeFailed(session)
      cutOff(session)
    }
  }

  /// Hands over what was decrypted.
  private func tell(_ session: Session) {
    do throws(UVError) {
      try flush()
    } catch {
      session.hub.writeFailed(session)
    }
    channel.takePlaintext { session.hub.received($0, from: session) }
    guard channel.hasReachedEnd, !isInputOver else { return }
    isInputOver = true
    session.hub.reachedEnd(session)
  }

  /// Only the peer itself can say that its input is complete, by a close_notify, and it hasn't: anybody
  /// between could have made this end. Some clients (ncat) end so nevertheless, and are answered.
  private func cutOff(_ session: Session) {
    guard !isInputOver else { return }
    isInputOver = true
    session.hub.cutOff(session)
  }

  func streamReachedEnd() {
    guard let session else { return handshakes.ended(self, .ended) }
    cutOff(session)
  }

  func streamFailed(_ error: UVError) {
    guard let session else { return handshakes.ended(self, .ended) }
    session.hub.writeFailed(session)
    cutOff(session)
  }

  func streamDrained() {
    let bytes = waiting
    waiting = []
    do throws(UVError) {
      try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(UVError) in
        try unsafe send(bytes)
      }
    } catch {
      return streamWriteFailed(error)
    }
    if shutsDownOnceWritten { stream.shutdown() }
    if let session, !isWriting { session.hub.drained(session) }
  }

  func streamWriteFailed(_ error: UVError) {
    guard let session else { return handshakes.ended(self, .ended) }
    session.hub.writeFailed(session)
  }

  func streamClosed() {
    guard let session else { return handshakes.ended(self, .ended) }
    self.session = nil
    session.hub.closed(session)
  }
}
