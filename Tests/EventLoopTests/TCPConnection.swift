import EventLoop
import Glibc

/// A TCP connection on this machine, of which a loop serves the accepted end.
final class TCPConnection {
  /// The blocking socket of the end that connected.
  let client: CInt
  let accepted: End

  init(loop: Loop, host: String = "127.0.0.1") throws {
    SignalWatcher.ignoreBrokenPipes()
    var stream: Stream?
    var listener: Listener?
    listener = try Listener(
      loop: loop, address: .tcp(host: host, port: 0),
      onConnection: {
        stream = $0
        listener?.close()
      }, onFailure: { preconditionFailure("\($0)") })
    guard case .tcp(_, let port) = listener?.address else { preconditionFailure("no port") }
    client = connectTCP(host: host, port: port)
    loop.run()
    accepted = End(stream!)
  }

  /// Closes the client's end so that the other is reset.
  func resetByClient() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, 8)
    close(client)
  }
}

/// A blocking socket that is connected to a port of this machine.
func connectTCP(host: String, port: UInt16) -> CInt {
  var hints = unsafe addrinfo()
  unsafe hints.ai_flags = AI_NUMERICHOST
  unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
  var found: UnsafeMutablePointer<addrinfo>?
  precondition(unsafe getaddrinfo(host, String(port), &hints, &found) == 0, "no address")
  defer { unsafe freeaddrinfo(found) }
  let address = unsafe found!.pointee
  let descriptor = unsafe socket(address.ai_family, address.ai_socktype, 0)
  let status = unsafe connect(descriptor, address.ai_addr, address.ai_addrlen)
  precondition(status == 0, "not connected")
  return descriptor
}

/// A blocking socket that is connected to a socket file, or -1.
func connectUnix(path: String) -> CInt {
  let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
  var address = unixAddress(path)
  let status = unsafe withUnsafePointer(to: &address) {
    unsafe connect(
      descriptor, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
      socklen_t(MemoryLayout<sockaddr_un>.size))
  }
  if status == 0 { return descriptor }
  close(descriptor)
  return -1
}

func unixAddress(_ path: String) -> sockaddr_un {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
  return address
}

/// Writes all of `bytes` to a blocking socket, and closes it.
func writeAll(_ bytes: [UInt8], to descriptor: CInt) {
  var written = 0
  unsafe bytes.withUnsafeBytes { bytes in
    while written < bytes.count {
      let count = unsafe write(descriptor, bytes.baseAddress! + written, bytes.count - written)
      guard count > 0 else { break }
      written += count
    }
  }
  close(descriptor)
}

/// Reads a blocking socket to its end, and closes it.
func readAll(from descriptor: CInt) -> [UInt8] {
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = unsafe read(descriptor, &buffer, buffer.count)
    guard count > 0 else { break }
    bytes += buffer.prefix(count)
  }
  close(descriptor)
  return bytes
}
