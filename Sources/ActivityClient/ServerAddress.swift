internal import Glibc

/// Where a daemon listens.
public enum ServerAddress: Hashable, Sendable, CustomStringConvertible {
  /// A Unix socket.
  case unix(path: String)
  /// A host by name or address, and a port.
  case tcp(host: String, port: UInt16)
  /// The same, over TLS; the host must prove to be that.
  case tls(host: String, port: UInt16)

  /// The port where nothing else is said.
  public static let defaultPort: UInt16 = 7420
  /// The port of TLS where nothing else is said.
  public static let defaultTLSPort: UInt16 = 7443

  /// Reads `unix:PATH`, `tcp:HOST:PORT`, `tls:HOST:PORT` or the latter two without a port, with
  /// brackets around an IPv6 address that a port follows. Nil for anything else.
  public init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard !path.isEmpty else { return nil }
      self = .unix(path: path)
    } else if text.hasPrefix("tcp:") {
      let place = Self.hostAndPort(text.dropFirst(4), defaultPort: Self.defaultPort)
      guard let (host, port) = place else { return nil }
      self = .tcp(host: host, port: port)
    } else if text.hasPrefix("tls:") {
      let place = Self.hostAndPort(text.dropFirst(4), defaultPort: Self.defaultTLSPort)
      guard let (host, port) = place else { return nil }
      self = .tls(host: host, port: port)
    } else {
      return nil
    }
  }

  private static func hostAndPort(
    _ text: Substring, defaultPort: UInt16
  ) -> (host: String, port: UInt16)? {
    var host = text
    var port: UInt16? = defaultPort
    if text.hasPrefix("["), let bracket = text.lastIndex(of: "]") {
      host = text[..<bracket].dropFirst()
      let rest = text[bracket...].dropFirst()
      if rest.hasPrefix(":") {
        port = UInt16(rest.dropFirst())
      } else if !rest.isEmpty {
        port = nil
      }
    } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
      host = text[..<colon]
      port = UInt16(text[colon...].dropFirst())
    }
    guard let port, !host.isEmpty else { return nil }
    return (String(host), port)
  }

  /// As `init` reads it.
  public var description: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .tcp(let host, let port): "tcp:" + Self.text(host, port)
    case .tls(let host, let port): "tls:" + Self.text(host, port)
    }
  }

  private static func text(_ host: String, _ port: UInt16) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

extension ServerAddress {
  /// Where a daemon of this machine is to be looked for, the likeliest first: the socket of one
  /// that this user runs, the socket of the service, and loopback.
  public static var localCandidates: [ServerAddress] {
    var folders: [String] = []
    if let variable = unsafe getenv("XDG_RUNTIME_DIR") {
      let runtime = unsafe String(cString: variable)
      // By its specification a relative one is to be ignored.
      if runtime.hasPrefix("/") { folders.append(runtime + "/activityd") }
    }
    folders += ["/tmp/activityd-\(getuid())", "/run/activityd"]
    return folders.map { .unix(path: $0 + "/activityd.sock") }
      + [.tcp(host: "127.0.0.1", port: defaultPort)]
  }

  /// The first of the candidates that is there, if there are several one that answers.
  public static var local: ServerAddress {
    let sockets = localCandidates.filter { $0.isTrustworthySocket }
    if sockets.count > 1, let answering = sockets.first(where: { $0.answers }) { return answering }
    return sockets.first ?? .tcp(host: "127.0.0.1", port: defaultPort)
  }

  /// Whether there is such a socket, and nobody else can have put it there: in a temporary
  /// directory everybody can make a folder of that name.
  private var isTrustworthySocket: Bool {
    guard case .unix(let path) = self, let slash = path.lastIndex(of: "/") else { return false }
    var folder = stat()
    var socket = stat()
    guard unsafe lstat(String(path[..<slash]), &folder) == 0, unsafe stat(path, &socket) == 0
    else { return false }
    let isFolderSafe = folder.st_uid == getuid() || !path.hasPrefix("/tmp/")
    return socket.st_mode & S_IFMT == S_IFSOCK && folder.st_mode & 0o002 == 0 && isFolderSafe
  }

  private var answers: Bool {
    do throws(SystemError) {
      _ = try Socket.connect(to: self, within: .seconds(1))
      return true
    } catch {
      return false
    }
  }
}
