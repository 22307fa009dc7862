internal import COpenSSL

/// One end of a TLS connection, without its socket.
///
/// Theory of operation. Bytes from the peer go in by `receive`, plaintext by `write`, the wish to end
/// by `end`. Each may leave something in `takeOutput`, to be sent to the peer, and `receive` something
/// in `takePlaintext`; both are to be taken after each call and before another channel of the same
/// room is called. No call waits for anything, and none is left half done: what came is decrypted
/// wholly, what is written is encrypted wholly.
///
/// For use by one thread, that of its room.
@safe package final class SecureChannel {
  private let ssl: OpaquePointer
  private let room: ChannelRoom

  /// The handshake is over: the peer is who it has to be, and what is written can be sent.
  package private(set) var isOpen = false
  /// The peer has said that it sends no more. That nothing was cut off before is certain.
  package private(set) var hasReachedEnd = false
  /// It has failed, or said that nothing more is written: nothing can be.
  private var isWritingOver = false

  /// The server's end.
  package init(_ context: SecurityContext, room: ChannelRoom) {
    self.room = room
    unsafe ssl = Self.makeSSL(context, room)
    unsafe SSL_set_accept_state(ssl)
  }

  /// The client's end. The server's certificate must be for `host`, a name or an IP address. The
  /// first `receive`, of nothing, begins the handshake.
  package init(_ context: SecurityContext, to host: String, room: ChannelRoom) {
    self.room = room
    unsafe ssl = Self.makeSSL(context, room)
    unsafe SSL_set_connect_state(ssl)
    if unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1 { return }
    unsafe SSL_set1_host(ssl, host)
    unsafe ssl_set_server_name(ssl, host)
  }

  private static func makeSSL(_ context: SecurityContext, _ room: ChannelRoom) -> OpaquePointer {
    guard let ssl = unsafe SSL_new(context.raw) else {
      preconditionFailure("OpenSSL has no memory left")
    }
    let bio = unsafe room.makeBIO()
    unsafe SSL_set_bio(ssl, bio, bio)
    return unsafe ssl
  }

  deinit {
    unsafe SSL_free(ssl)
  }

  /// The certificate that the peer has shown and that was found to be good.
  package var peerCertificate: Certificate? {
    guard let certificate = unsafe SSL_get0_peer_certificate(ssl) else { return nil }
    return unsafe Certificate(certificate)
  }

  /// As "TLSv1.3".
  package var version: String { unsafe String(cString: SSL_get_version(ssl)) }
}

// MARK: - In

extension SecureChannel {
  /// Takes bytes from the peer, at most `ChannelRoom.inputBytesMax`; goes on with the handshake, then
  /// decrypts.
  ///
  /// - Throws: if the connection is of no use any more. What could be decrypted before is in
  ///   `takePlaintext`, and what the peer is told of it in `takeOutput`.
  package func receive(_ bytes: RawSpan) throws(SecurityError) {
    precondition(bytes.byteCount <= ChannelRoom.inputBytesMax, "more than there is room for")
    assert(room.output.isEmpty && room.plaintextCount == 0, "another channel isn't done")
    let failure: SecurityError? = unsafe bytes.withUnsafeBytes { bytes in
      unsafe room.input = bytes
      defer { unsafe room.input = UnsafeRawBufferPointer(start: nil, count: 0) }
      return readAll()
    }
    if !isOpen { isOpen = unsafe SSL_is_init_finished(ssl) == 1 }
    guard let failure else { return }
    isWritingOver = true
    throw failure
  }

  /// Reads, which carries out the handshake too, until nothing more can become of what came.
  private func readAll() -> SecurityError? {
    while !hasReachedEnd {
      let free = unsafe UnsafeMutableRawBufferPointer(
        rebasing: room.plaintext[room.plaintextCount...])
      ERR_clear_error()
      let count = unsafe SSL_read(ssl, free.baseAddress, CInt(free.count))
      if count > 0 {
        room.plaintextCount += Int(count)
        continue
      }
      switch unsafe SSL_get_error(ssl, count) {
      case SSL_ERROR_WANT_READ: return nil
      case SSL_ERROR_ZERO_RETURN: hasReachedEnd = true
      default: return unsafe SecurityError.noted(by: ssl)
      }
    }
    return nil
  }

  /// Hands over what `receive` decrypted, and forgets it.
  package func takePlaintext(_ take: (RawSpan) -> Void) {
    let count = room.plaintextCount
    guard count > 0 else { return }
    room.plaintextCount = 0
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: room.plaintext[..<count])
    unsafe take(bytes.bytes)
  }
}

// MARK: - Out

extension SecureChannel {
  /// Whether `write` does anything; not before the handshake is over, nor after `end` or a failure.
  package var canWrite: Bool { isOpen && !isWritingOver }

  /// Encrypts `bytes`, or gathers them for a record to come: `finishWriting` is to follow.
  package func write(_ bytes: UnsafeRawBufferPointer) {
    precondition(isOpen, "nothing can be written before the handshake is over")
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let room = self.room
      guard room.recordCount > 0 || rest.count < ChannelRoom.recordBytesMax else {
        // A record of its own: nothing has to be copied.
        let count = ChannelRoom.recordBytesMax
        unsafe encrypt(UnsafeRawBufferPointer(rebasing: rest[..<count]))
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        continue
      }
      let count = min(rest.count, ChannelRoom.recordBytesMax - room.recordCount)
      unsafe (room.record.baseAddress! + room.recordCount).copyMemory(
        from: rest.baseAddress!, byteCount: count)
      room.recordCount += count
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      if room.recordCount == ChannelRoom.recordBytesMax { finishWriting() }
    }
  }

  /// Encrypts what was gathered.
  package func finishWriting() {
    let count = room.recordCount
    guard count > 0 else { return }
    room.recordCount = 0
    unsafe encrypt(UnsafeRawBufferPointer(rebasing: room.record[..<count]))
  }

  private func encrypt(_ bytes: UnsafeRawBufferPointer) {
    guard !isWritingOver else { return }
    ERR_clear_error()
    // The room takes everything, so it is all or nothing.
    let count = unsafe SSL_write(ssl, bytes.baseAddress, CInt(bytes.count))
    if Int(count) != bytes.count { isWritingOver = true }
  }

  /// Tells the peer that nothing more is written. Reading may go on.
  package func end() {
    guard canWrite else { return }
    isWritingOver = true
    ERR_clear_error()
    unsafe SSL_shutdown(ssl)
  }

  /// Hands over what is to be sent to the peer, and forgets it.
  package func takeOutput<Result, Failure>(
    _ take: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Out of the room's hands meanwhile, since `take` may lead anywhere.
    var output: [UInt8] = []
    swap(&output, &room.output)
    defer { room.takeBack(output) }
    return try unsafe output.span.bytes.withUnsafeBytes(take)
  }
}
