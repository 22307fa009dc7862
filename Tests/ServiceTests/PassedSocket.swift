import Glibc
import TestSupport

/// A listening socket as a service manager makes it: it outlives the daemons that it is passed to.
final class PassedSocket {
  let descriptor: CInt
  private(set) var port: UInt16 = 0
  private(set) var path = ""

  private init(family: CInt) throws {
    descriptor = socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw TestFailure.system("socket") }
  }

  deinit { close(descriptor) }

  /// On a free port of this machine.
  static func tcp() throws -> PassedSocket {
    let socket = try PassedSocket(family: AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    try socket.listen(on: &address)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    unsafe withUnsafeMutableBytes(of: &address) {
      _ = unsafe getsockname(
        socket.descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), &size)
    }
    socket.port = UInt16(bigEndian: address.sin_port)
    return socket
  }

  static func unix(_ path: String) throws -> PassedSocket {
    let socket = try PassedSocket(family: AF_UNIX)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    try socket.listen(on: &address)
    socket.path = path
    return socket
  }

  private func listen<Address>(on address: inout Address) throws {
    let size = socklen_t(MemoryLayout<Address>.size)
    let status = unsafe withUnsafeBytes(of: &address) {
      unsafe bind(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), size)
    }
    guard status == 0, Glibc.listen(descriptor, 64) == 0 else {
      throw TestFailure.system("listen")
    }
  }
}
