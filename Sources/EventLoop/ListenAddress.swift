internal import Glibc

/// Where connections are awaited.
package enum ListenAddress: Equatable, Hashable, Sendable {
  /// An IP literal, as "127.0.0.1" or "::1", and a port; 0 stands for any free one.
  case tcp(host: String, port: UInt16)
  /// A socket file, and who may connect, as 0o666; the umask doesn't count.
  case unix(path: String, mode: UInt32 = 0o666)
  /// A socket that somebody else, as systemd, made and listens on already.
  case inherited(descriptor: CInt)
}

extension ListenAddress {
  /// Where an inherited socket is bound; of any other address, the address itself.
  package func bound() throws(UVError) -> ListenAddress {
    guard case .inherited(let descriptor) = self else { return self }
    guard let address = try SocketAddress(of: descriptor).listenAddress else {
      throw UVError(errno: EAFNOSUPPORT, operation: "adopt a socket")
    }
    return address
  }
}

extension ListenAddress: CustomStringConvertible {
  /// As "tcp:127.0.0.1:7420", "tcp:[::1]:7420", "unix:/run/a.sock" or "fd:3".
  package var description: String {
    switch self {
    case .tcp(let host, let port):
      host.contains(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
    case .unix(let path, _): "unix:\(path)"
    case .inherited(let descriptor): "fd:\(descriptor)"
    }
  }
}
