package import EventLoop
internal import Glibc

extension ListenAddress {
  /// `tcp:HOST:PORT`, with brackets around an IPv6 address, or `unix:PATH`.
  package init?(option: String) {
    if option.hasPrefix("unix:") {
      let path = String(option.dropFirst(5))
      // The longest path that a socket address holds.
      guard !path.isEmpty, path.utf8.count <= 107 else { return nil }
      self = .unix(path: path)
    } else if option.hasPrefix("tcp:"), let colon = option.lastIndex(of: ":") {
      let start = option.index(option.startIndex, offsetBy: 4)
      guard start <= colon else { return nil }
      var host = option[start..<colon]
      guard let port = UInt16(option[option.index(after: colon)...]) else { return nil }
      if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
      if host == "localhost" { host = "127.0.0.1" }
      guard Self.isIPLiteral(String(host)) else { return nil }
      self = .tcp(host: String(host), port: port)
    } else {
      return nil
    }
  }

  private static func isIPLiteral(_ host: String) -> Bool {
    var address = in6_addr()
    return [AF_INET, AF_INET6].contains { unsafe inet_pton($0, host, &address) == 1 }
  }

  /// As `description`, of an address where TLS is spoken: "tls:127.0.0.1:7443".
  package var secureDescription: String {
    guard case .tcp = self else { return "tls:\(self)" }
    return "tls:" + description.dropFirst(4)
  }

  /// Whether only this machine can connect.
  package var isLocal: Bool {
    switch self {
    case .tcp(let host, _): host.hasPrefix("127.") || host == "::1"
    case .unix, .inherited: true
    }
  }
}
