internal import Glibc

/// A client that speaks and hears lines, and blocks until it has.
package final class LineClient {
  /// How long anything may take, in seconds: far longer than it does on a busy machine.
  package static let patience = 60

  let descriptor: CInt
  private var buffer = LineBuffer()
  private var hasEnded = false
  private var isClosed = false

  private init(family: CInt) throws {
    descriptor = socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw TestFailure.system("socket") }
  }

  /// Connects to a port of this machine.
  package convenience init(port: UInt16) throws {
    try self.init(family: AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    try connect(&address)
  }

  /// Connects to a Unix socket.
  package convenience init(path: String) throws {
    try self.init(family: AF_UNIX)
    var address = try sockaddr_un(path: path)
    try connect(&address)
  }

  private func connect<Address>(_ address: inout Address) throws {
    let size = socklen_t(MemoryLayout<Address>.size)
    let status = unsafe withUnsafeBytes(of: &address) {
      unsafe Glibc.connect(
        descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), size)
    }
    guard status == 0 else { throw TestFailure.system("connect") }
  }

  deinit { close() }
}

extension LineClient {
  package func sendLine(_ line: String) throws { try send(Array(line.utf8) + [UInt8(ascii: "\n")]) }

  package func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw TestFailure.system("send") }
      rest = rest.dropFirst(count)
    }
  }

  /// The next line, without its newline; nil if the daemon has closed the connection.
  package func readLine() throws -> String? {
    while true {
      if let line = buffer.nextLine() { return line }
      guard !hasEnded else { return nil }
      guard try receive(patience: Self.patience) else {
        throw TestFailure("nothing came for \(Self.patience) s")
      }
    }
  }

  /// The next line if it has arrived already.
  package func arrivedLine() throws -> String? {
    while true {
      if let line = buffer.nextLine() { return line }
      guard !hasEnded, try receive(patience: 0) else { return nil }
    }
  }

  /// Says that nothing more will be sent. What is sent to us can still be read.
  package func endOutput() { shutdown(descriptor, CInt(SHUT_WR)) }

  /// Closes as a crash of the machine would: the daemon sees a reset, with what it sent unread.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    let size = socklen_t(MemoryLayout.size(ofValue: linger))
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size)
    close()
  }

  package func close() {
    guard !isClosed else { return }
    isClosed = true
    Glibc.close(descriptor)
  }

  /// Waits for bytes, which are no lines; none stand for the end.
  package func receiveBytes() throws -> [UInt8] {
    guard try isReadable(descriptor, within: Self.patience) else {
      throw TestFailure("nothing came for \(Self.patience) s")
    }
    return unsafe bytes(upTo: 65_536) { unsafe recv(descriptor, $0, $1, 0) } ?? []
  }

  /// Waits for bytes or the end, at most so many seconds; answers whether there was either.
  private func receive(patience: Int) throws -> Bool {
    guard try isReadable(descriptor, within: patience) else { return false }
    let received = unsafe bytes(upTo: 65_536) { unsafe recv(descriptor, $0, $1, 0) } ?? []
    // A connection that was reset has ended too.
    if received.isEmpty { hasEnded = true }
    buffer.append(received)
    return true
  }
}

/// Whether there is something to read, or the end, within so many seconds.
func isReadable(_ descriptor: CInt, within seconds: Int) throws -> Bool {
  var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  while true {
    let count = unsafe poll(&polled, 1, CInt(seconds * 1_000))
    if count >= 0 { return count > 0 }
    guard errno == EINTR else { throw TestFailure.system("poll") }
  }
}
