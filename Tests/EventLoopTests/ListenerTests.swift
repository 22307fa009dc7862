import EventLoop
import Glibc
import Testing

@Suite struct ListenerTests {
  @Test("a port of 0 becomes a free one, and its connections have addresses")
  func freePort() throws {
    let loop = try Loop()
    let ends = try TCPConnection(loop: loop)
    let stream = ends.accepted.stream
    let own = try localPort(of: ends.client)
    #expect(stream.peerAddress == "127.0.0.1:\(own)")
    #expect(stream.isLoopbackPeer)
    #expect(stream.kind == .tcp)
    close(ends.client)
    try loop.closeWithHandles()
    #expect(stream.peerAddress == nil)
    #expect(!stream.isLoopbackPeer)
  }

  @Test("IPv6 addresses are written in brackets", .enabled(if: hasIP6))
  func ip6() throws {
    let loop = try Loop()
    let ends = try TCPConnection(loop: loop, host: "::1")
    #expect(ends.accepted.stream.peerAddress == "[::1]:\(try localPort(of: ends.client))")
    #expect(ends.accepted.stream.isLoopbackPeer)
    close(ends.client)
    try loop.closeWithHandles()
  }

  @Test("TCP connections send at once, and can be given limits")
  func socketOptions() throws {
    let loop = try Loop()
    let ends = try TCPConnection(loop: loop)
    let stream = ends.accepted.stream
    try stream.setUserTimeout(milliseconds: 12_345)
    try stream.setKeepAlive(afterSeconds: 67)
    let descriptor = try stream.fileDescriptor
    #expect(option(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY) == 1)
    #expect(option(descriptor, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT) == 12_345)
    #expect(option(descriptor, CInt(IPPROTO_TCP), TCP_KEEPIDLE) == 67)
    #expect(option(descriptor, SOL_SOCKET, SO_KEEPALIVE) == 1)
    #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    close(ends.client)
    try loop.closeWithHandles()
  }

  @Test("a port that is taken is refused, and free again once closed")
  func portTaken() throws {
    let loop = try Loop()
    let first = try quietListener(loop, .tcp(host: "127.0.0.1", port: 0))
    let error = #expect(throws: UVError.self) { _ = try quietListener(loop, first.address) }
    #expect(error?.errno == EADDRINUSE)
    #expect(error?.name == "EADDRINUSE")
    first.close()
    let second = try quietListener(loop, first.address)
    #expect(second.address == first.address)
    try loop.closeWithHandles()
  }

  @Test(
    "only literal addresses are listened on", arguments: ["localhost", "", "1.2.3", "127.0.0.1 "])
  func literalsOnly(host: String) throws {
    let loop = try Loop()
    let error = #expect(throws: UVError.self) {
      _ = try quietListener(loop, .tcp(host: host, port: 0))
    }
    #expect(error?.errno == EINVAL)
    try loop.close()
  }

  @Test("who waits can be told something and turned away, also if it has spoken")
  func turningAway() throws {
    let loop = try Loop()
    let listener = try quietListener(loop, .tcp(host: "127.0.0.1", port: 0))
    listener.pause()
    guard case .tcp(let host, let port) = listener.address else { preconditionFailure("no port") }
    let clients = (0..<3).map { _ in connectTCP(host: host, port: port) }
    for client in clients { unsafe send(client, "hello", 5, CInt(MSG_NOSIGNAL)) }
    var count = 0
    listener.turnAway(using: ReserveDescriptor()) {
      count += 1
      return Array("bye \(count)\n".utf8)
    }
    #expect(count == 3)
    let words = clients.map { String(decoding: readAll(from: $0), as: UTF8.self) }
    #expect(words == ["bye 1\n", "bye 2\n", "bye 3\n"])
    try loop.closeWithHandles()
  }

  @Test("hosts are told apart by IPv4 address")
  func ip4Host() throws {
    let loop = try Loop()
    let ends = try TCPConnection(loop: loop)
    #expect(ends.accepted.stream.peerHost == .ip4(0x7f00_0001))
    #expect(ends.accepted.stream.peerHost?.description == "127.0.0.1")
    close(ends.client)
    try loop.closeWithHandles()
    #expect(ends.accepted.stream.peerHost == nil)
  }

  @Test("hosts are told apart by the first half of an IPv6 address", .enabled(if: hasIP6))
  func ip6Host() throws {
    let loop = try Loop()
    let ends = try TCPConnection(loop: loop, host: "::1")
    #expect(ends.accepted.stream.peerHost == .ip6(network: 0))
    close(ends.client)
    try loop.closeWithHandles()
    #expect(PeerHost.ip6(network: 0x2001_0db8_0000_00a1).description == "2001:db8:0:a1::/64")
  }

  @Test("a socket that listens already is adopted")
  func inherited() throws {
    let loop = try Loop()
    let descriptor = listeningSocket()
    var accepted: [Stream] = []
    var listener: Listener?
    listener = try Listener(
      loop: loop, address: .inherited(descriptor: descriptor),
      onConnection: {
        accepted.append($0)
        listener?.close()
      }, onFailure: { Issue.record("\($0)") })
    let port = try localPort(of: descriptor)
    #expect(listener?.address == .tcp(host: "127.0.0.1", port: port))
    let client = connectTCP(host: "127.0.0.1", port: port)
    loop.run()
    #expect(accepted.count == 1)
    #expect(option(try accepted[0].fileDescriptor, CInt(IPPROTO_TCP), TCP_NODELAY) == 1)
    close(client)
    try loop.closeWithHandles()
  }

  @Test("a socket that isn't listening isn't adopted")
  func notListening() throws {
    let loop = try Loop()
    let (one, other) = socketPair()
    let error = #expect(throws: UVError.self) {
      _ = try quietListener(loop, .inherited(descriptor: one))
    }
    #expect(error?.errno == EINVAL)
    // It has been closed nevertheless.
    #expect(readAll(from: other).isEmpty)
    try loop.close()
  }

  @Test("a paused listener leaves connections waiting")
  func pausing() throws {
    let loop = try Loop()
    var accepted = 0
    var acceptedWhilePaused = 0
    var listener: Listener?
    listener = try Listener(
      loop: loop, address: .tcp(host: "127.0.0.1", port: 0),
      onConnection: { stream in
        stream.close()
        accepted += 1
        if listener?.isAccepting == false { acceptedWhilePaused += 1 }
        if accepted == 1 { listener?.pause() }
        if accepted == 3 { listener?.close() }
      }, onFailure: { Issue.record("\($0)") })
    guard case .tcp(_, let port) = listener?.address else { return }
    let clients = (0..<3).map { _ in connectTCP(host: "127.0.0.1", port: port) }
    let ticker = try Ticker(loop: loop) {
      #expect(accepted == 1)
      listener?.resume()
    }
    ticker.start(afterMilliseconds: 20)
    loop.run()
    #expect(accepted == 3)
    #expect(acceptedWhilePaused == 0)
    for client in clients { close(client) }
    try loop.closeWithHandles()
  }

  @Test("without descriptors it pauses and says so, and nobody who waits is lost")
  func descriptorsRunOut() async {
    await #expect(processExitsWith: .success) {
      let loop = try Loop()
      var failures: [String] = []
      var accepted = 0
      var listener: Listener?
      // Taken beforehand, and given back when there is to be hope.
      let reserve = dup(0)
      let hope = try Ticker(loop: loop) {
        close(reserve)
        listener?.resume()
      }
      listener = try Listener(
        loop: loop, address: .tcp(host: "127.0.0.1", port: 0),
        onConnection: { stream in
          stream.close()
          accepted += 1
          listener?.close()
        },
        onFailure: { error in
          failures.append(error.name)
          // Were it to try again meanwhile, it would fail again.
          hope.start(afterMilliseconds: 50)
        })
      guard case .tcp(_, let port) = listener?.address else { exit(1) }
      let client = connectTCP(host: "127.0.0.1", port: port)
      while dup(0) >= 0 {}
      loop.run()
      #expect(failures == ["EMFILE"])
      #expect(accepted == 1)
      // The end of the stream, not a reset.
      var byte: UInt8 = 0
      #expect(unsafe read(client, &byte, 1) == 0)
      try loop.closeWithHandles()
    }
  }
}

/// Whether this machine has the IPv6 loopback address.
private let hasIP6: Bool = {
  guard let loop = try? Loop() else { return false }
  let listener = try? quietListener(loop, .tcp(host: "::1", port: 0))
  try? loop.closeWithHandles()
  return listener != nil
}()

/// A listener that expects nobody.
func quietListener(_ loop: Loop, _ address: ListenAddress) throws(UVError) -> Listener {
  try Listener(
    loop: loop, address: address,
    onConnection: { $0.close() }, onFailure: { Issue.record("\($0)") })
}

private func localPort(of descriptor: CInt) throws -> UInt16 {
  var address = sockaddr_in6()
  var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
  let status = unsafe withUnsafeMutablePointer(to: &address) {
    unsafe getsockname(
      descriptor, UnsafeMutableRawPointer($0).assumingMemoryBound(to: sockaddr.self), &size)
  }
  try #require(status == 0)
  // At the same place for IPv4.
  return UInt16(bigEndian: address.sin6_port)
}

private func option(_ descriptor: CInt, _ level: CInt, _ option: CInt) -> CInt {
  var value: CInt = -1
  var size = socklen_t(MemoryLayout<CInt>.size)
  unsafe getsockopt(descriptor, level, option, &value, &size)
  return value
}

/// A socket as a service manager hands it over: bound to any port of 127.0.0.1, and blocking.
private func listeningSocket() -> CInt {
  let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let status = unsafe withUnsafePointer(to: address) {
    unsafe bind(
      descriptor, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
      socklen_t(MemoryLayout<sockaddr_in>.size))
  }
  precondition(status == 0 && listen(descriptor, 8) == 0, "not listening")
  return descriptor
}
