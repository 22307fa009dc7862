internal import CLibUV
internal import Glibc

/// A socket that is listening, with what is known of it.
struct ListeningSocket {
  let descriptor: CInt
  let kind: Stream.Kind
  /// Where it is bound, its true port included.
  let address: ListenAddress
  /// The file to be removed in the end; nil if there is none or it isn't ours.
  let file: SocketFile?

  /// Binds and listens, or adopts; `backlog` is how many connections may wait to be accepted.
  static func open(_ address: ListenAddress, backlog: CInt) throws(UVError) -> ListeningSocket {
    switch address {
    case .tcp(let host, let port):
      try openTCP(SocketAddress(host: host, port: port), backlog: backlog)
    case .unix(let path, let mode):
      try openUnix(path: path, mode: mode, backlog: backlog)
    case .inherited(let descriptor):
      try adopt(descriptor)
    }
  }

  private static func openTCP(
    _ address: SocketAddress, backlog: CInt
  ) throws(UVError) -> ListeningSocket {
    let descriptor = try openSocket(family: address.family)
    do {
      // A port may be bound again while old connections of it linger.
      try setSocketOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR")
      if address.family == AF_INET6 {
        // So that "::" and "0.0.0.0" can both be listened on.
        try setSocketOption(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, 1, "IPV6_V6ONLY")
      }
      try systemCall("bind to \(address)") {
        unsafe address.pass { unsafe bind(descriptor, $0, $1) }
      }
      try systemCall("listen on \(address)") { listen(descriptor, backlog) }
      return try describe(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func openUnix(
    path: String, mode: UInt32, backlog: CInt
  ) throws(UVError) -> ListeningSocket {
    let address = try SocketAddress(path: path)
    try SocketFile.removeStale(at: path)
    let descriptor = try openSocket(family: AF_UNIX)
    var file: SocketFile?
    do {
      try systemCall("bind to \(path)") { unsafe address.pass { unsafe bind(descriptor, $0, $1) } }
      file = try SocketFile(path: path)
      // Nobody can connect before `listen`, so nobody does under a wrong mode.
      try systemCall("chmod \(path)") { unsafe chmod(path, mode) }
      try systemCall("listen on \(path)") { listen(descriptor, backlog) }
    } catch {
      file?.removeIfOurs()
      close(descriptor)
      throw error
    }
    return ListeningSocket(
      descriptor: descriptor, kind: .unix, address: .unix(path: path, mode: mode), file: file)
  }

  private static func adopt(_ descriptor: CInt) throws(UVError) -> ListeningSocket {
    do throws(UVError) {
      let isListening = try socketOption(descriptor, SOL_SOCKET, SO_ACCEPTCONN, "SO_ACCEPTCONN")
      guard isListening != 0 else {
        throw UVError(errno: EINVAL, operation: "adopt a socket that isn't listening")
      }
      try systemCall("FD_CLOEXEC") { fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      return try describe(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Finds out what is known of a listening socket that has no file of ours.
  private static func describe(_ descriptor: CInt) throws(UVError) -> ListeningSocket {
    let address = try ListenAddress.inherited(descriptor: descriptor).bound()
    if case .unix = address {
      return ListeningSocket(descriptor: descriptor, kind: .unix, address: address, file: nil)
    }
    // Accepted sockets inherit it.
    try setSocketOption(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, 1, "TCP_NODELAY")
    return ListeningSocket(descriptor: descriptor, kind: .tcp, address: address, file: nil)
  }
}

/// Opens a stream socket that neither blocks nor survives `exec`.
func openSocket(family: CInt) throws(UVError) -> CInt {
  let type = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
  return try systemCall("socket") { socket(family, type, 0) }
}

func setSocketOption(
  _ descriptor: CInt, _ level: CInt, _ option: CInt, _ value: CInt, _ operation: String
) throws(UVError) {
  try systemCall(operation) {
    var value = value
    return unsafe setsockopt(
      descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
  }
}

func socketOption(
  _ descriptor: CInt, _ level: CInt, _ option: CInt, _ operation: String
) throws(UVError) -> CInt {
  var value: CInt = 0
  try systemCall(operation) {
    var size = socklen_t(MemoryLayout<CInt>.size)
    return unsafe getsockopt(descriptor, level, option, &value, &size)
  }
  return value
}
