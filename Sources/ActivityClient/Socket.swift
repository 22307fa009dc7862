internal import Glibc

/// A connected stream socket that blocks no longer than it is told to.
struct Socket: ~Copyable {
  /// What became of waiting.
  enum Readiness {
    case readable, writable, interrupted, timedOut
  }

  let descriptor: CInt

  private init(family: CInt) throws(SystemError) {
    let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    descriptor = socket(family, CInt(flags), 0)
    guard descriptor >= 0 else { throw SystemError() }
  }

  deinit { close(descriptor) }

  /// Waits until something can be read (or the end has come) or, if wanted, written. A signal
  /// and, if one is given, another descriptor that becomes readable interrupt it.
  func wait(
    until deadline: ContinuousClock.Instant?, toWrite: Bool = false, or other: CInt? = nil
  ) -> Readiness {
    var polled = [
      pollfd(fd: descriptor, events: Int16(POLLIN | (toWrite ? POLLOUT : 0)), revents: 0)
    ]
    if let other { polled.append(pollfd(fd: other, events: Int16(POLLIN), revents: 0)) }
    let count = unsafe poll(&polled, nfds_t(polled.count), millisecondsLeft(until: deadline))
    guard count > 0 else { return count == 0 ? .timedOut : .interrupted }
    let events = CInt(polled[0].revents)
    if events & (POLLIN | POLLHUP | POLLERR) != 0 { return .readable }
    return events & POLLOUT != 0 ? .writable : .interrupted
  }

  /// Appends what has come to `bytes`; answers false if nothing ever will again.
  func receive(into bytes: inout [UInt8]) throws(SystemError) -> Bool {
    let count = unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { room in
      let count = unsafe recv(descriptor, room.baseAddress, room.count, 0)
      if count > 0 { unsafe bytes.append(contentsOf: room.prefix(count)) }
      return count
    }
    if count < 0, errno != EAGAIN, errno != EINTR { throw SystemError() }
    return count != 0
  }

  /// Sends as much as there is room for; answers how many bytes that was.
  func send(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
    }
    if count < 0, errno != EAGAIN, errno != EINTR { throw SystemError() }
    return max(count, 0)
  }
}

/// Waits until a descriptor is readable, a signal comes or the time is over.
func wait(for descriptor: CInt?, until deadline: ContinuousClock.Instant?) {
  var polled = pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0)
  _ = unsafe poll(&polled, 1, millisecondsLeft(until: deadline))
}

/// For `poll`; -1 for ever.
private func millisecondsLeft(until deadline: ContinuousClock.Instant?) -> CInt {
  deadline.map { ContinuousClock.now.duration(to: $0).milliseconds } ?? -1
}

// MARK: - Connecting

extension Socket {
  /// Connects, within so much time.
  static func connect(to address: ServerAddress, within: Duration) throws(SystemError) -> Socket {
    let deadline = ContinuousClock.now + within
    switch address {
    case .unix(let path):
      let socket = try Socket(family: AF_UNIX)
      try socket.connect(path: path, until: deadline)
      return socket
    case .tcp(let host, let port), .tls(let host, let port):
      return try connect(host: host, port: port, until: deadline)
    }
  }

  private func connect(
    path: String, until deadline: ContinuousClock.Instant
  ) throws(SystemError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw SystemError(number: ENAMETOOLONG)
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = unsafe withUnsafeBytes(of: &address) { bytes in
      unsafe Glibc.connect(
        descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), size)
    }
    try finishConnecting(status, until: deadline)
  }

  /// Tries the addresses of the host in turn.
  private static func connect(
    host: String, port: UInt16, until deadline: ContinuousClock.Instant
  ) throws(SystemError) -> Socket {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_NUMERICSERV
    var first: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host, "\(port)", &hints, &first)
    guard status == 0 else { throw SystemError(resolver: status) }
    defer { unsafe freeaddrinfo(first) }

    var failure = SystemError(number: EADDRNOTAVAIL)
    var next = unsafe first
    while let address = unsafe next {
      do throws(SystemError) {
        let socket = try unsafe Socket(family: address.pointee.ai_family)
        let status = unsafe Glibc.connect(
          socket.descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen)
        try socket.finishConnecting(status, until: deadline)
        socket.sendAtOnce()
        return socket
      } catch {
        failure = error
      }
      unsafe next = address.pointee.ai_next
    }
    throw failure
  }

  private func finishConnecting(
    _ status: CInt, until deadline: ContinuousClock.Instant
  ) throws(SystemError) {
    guard status != 0 else { return }
    guard errno == EINPROGRESS else { throw SystemError() }
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
      let count = unsafe poll(&polled, 1, millisecondsLeft(until: deadline))
      if count > 0 { break }
      if count == 0 { throw SystemError(number: ETIMEDOUT) }
    }
    var failure: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size)
    guard failure == 0 else { throw SystemError(number: failure) }
  }

  /// Lines are short and each is waited for: they shouldn't be gathered.
  private func sendAtOnce() {
    var on: CInt = 1
    _ = unsafe setsockopt(
      descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
  }
}

/// A call to the kernel, to the resolver or to the cryptographer failed.
struct SystemError: Error, Hashable {
  let reason: String

  init(reason: String) { self.reason = reason }

  /// That of the call just made.
  init() { self.init(number: errno) }

  init(number: CInt) { reason = unsafe String(cString: strerror(number)) }

  init(resolver status: CInt) { reason = unsafe String(cString: gai_strerror(status)) }
}
