internal import ActivityWire
internal import Cryptography

/// A socket over which lines go out and messages come in, in the clear or over TLS.
final class LineChannel {
  private let socket: Socket
  /// What stands between the socket and the lines; nil in the clear.
  private let secure: SecureChannel?
  /// As the socket is to send it.
  private var unsent: ArraySlice<UInt8> = []
  private var framer = LineFramer(lineBytesMax: 1 << 24)
  private let reader = JSONReader()
  /// What has come and wasn't asked for yet.
  private var messages: ArraySlice<Message> = []
  private var hasEnded = false
  /// Why nothing will come any more, if the daemon said so before the end.
  private var farewell: ClientError?

  init(_ address: ServerAddress, _ tls: TLSFiles, within: Duration) throws(SystemError) {
    if case .tls(let host, _) = address {
      secure = try tls.channel(to: host)
    } else {
      secure = nil
    }
    socket = try Socket.connect(to: address, within: within)
  }

  deinit {
    guard let secure else { return }
    secure.end()
    takeOutput(of: secure)
    // Whom it doesn't reach, sees the connection end.
    _ = try? socket.send(unsent)
  }

  var descriptor: CInt { socket.descriptor }

  /// Carries out the handshake of TLS; nothing in the clear.
  func shakeHands(until deadline: ContinuousClock.Instant) throws(ClientError) {
    guard let secure else { return }
    try decrypt([], with: secure)
    while true {
      try flush(until: deadline)
      if secure.isOpen { return }
      guard !hasEnded else { throw .lost(reason: "the server has closed it amid the handshake") }
      switch socket.wait(until: deadline) {
      case .readable: try receive()
      case .writable, .interrupted: break
      case .timedOut: throw .timedOut
      }
    }
  }

  /// Whether `nextMessage` has something to give, or to throw, that has been read already.
  var hasArrived: Bool { !messages.isEmpty || farewell != nil }

  /// Sends bytes, and meanwhile takes in what comes: the daemon reads no further while its answers
  /// aren't read.
  func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(ClientError) {
    if let secure {
      unsafe bytes.withUnsafeBytes { unsafe secure.write($0) }
      secure.finishWriting()
      takeOutput(of: secure)
    } else {
      unsent += bytes
    }
    try flush(until: deadline)
  }

  private func flush(until deadline: ContinuousClock.Instant) throws(ClientError) {
    while !unsent.isEmpty {
      if let end { throw end }
      do throws(SystemError) {
        unsent = unsent.dropFirst(try socket.send(unsent))
      } catch {
        // It may have said why.
        try receive()
        throw end ?? .lost(reason: error.reason)
      }
      guard !unsent.isEmpty else { return }
      switch socket.wait(until: deadline, toWrite: true) {
      case .readable: try receive()
      case .writable, .interrupted: break
      case .timedOut: throw .timedOut
      }
    }
  }

  /// Why nothing can be sent and nothing will come any more; nil as long as that isn't so.
  private var end: ClientError? {
    farewell ?? (hasEnded ? .lost(reason: "the daemon has closed it") : nil)
  }

  /// The next message. Nil if none comes in time, or if a signal or the other descriptor
  /// interrupts the waiting.
  func nextMessage(
    until deadline: ContinuousClock.Instant?, or other: CInt? = nil
  ) throws(ClientError) -> Message? {
    while true {
      if let message = messages.popFirst() { return message }
      if let end { throw end }
      guard socket.wait(until: deadline, or: other) == .readable else { return nil }
      try receive()
    }
  }
}

// MARK: - What comes

extension LineChannel {
  private func receive() throws(ClientError) {
    var chunk: [UInt8] = []
    do throws(SystemError) {
      hasEnded = try !socket.receive(into: &chunk)
    } catch {
      throw .lost(reason: error.reason)
    }
    if let secure {
      try decrypt(chunk, with: secure)
    } else {
      try unsafe take(chunk.span.bytes)
    }
  }

  private func decrypt(_ chunk: [UInt8], with secure: SecureChannel) throws(ClientError) {
    var failure: ClientError?
    do throws(SecurityError) {
      try unsafe secure.receive(chunk.span.bytes)
    } catch {
      failure = .lost(reason: "TLS: \(error.reason)")
    }
    takeOutput(of: secure)
    var plaintext: [UInt8] = []
    secure.takePlaintext { bytes in
      unsafe bytes.withUnsafeBytes { unsafe plaintext.append(contentsOf: $0) }
    }
    try unsafe take(plaintext.span.bytes)
    if secure.hasReachedEnd { hasEnded = true }
    if let failure { throw failure }
  }

  private func takeOutput(of secure: SecureChannel) {
    unsafe secure.takeOutput { unsafe unsent.append(contentsOf: $0) }
  }

  private func take(_ bytes: RawSpan) throws(ClientError) {
    var position = 0
    while let frame = framer.next(in: bytes, from: &position) {
      switch frame {
      case .line(let range):
        try take(unsafe bytes.extracting(range).withUnsafeBytes { unsafe Array($0) })
      case .gathered(let line): try take(line)
      case .tooLong: throw .notUnderstood("a line without an end")
      }
    }
  }

  private func take(_ line: [UInt8]) throws(ClientError) {
    guard let object = reader.object(line) else {
      throw .notUnderstood(String(decoding: line.prefix(200), as: UTF8.self))
    }
    guard let message = Message(object) else { return }
    if case .event(let event) = message, event.name == "bye" {
      farewell = ClientError(bye: event)
    } else {
      messages.append(message)
    }
  }
}
