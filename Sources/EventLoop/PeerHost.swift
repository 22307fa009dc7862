internal import Glibc

/// The host at the other end of a TCP connection, as far as hosts can be told apart.
package enum PeerHost: Hashable, Sendable {
  case ip4(UInt32)
  /// The network, which is the first half of an IPv6 address: a host has all addresses of its network
  /// to choose from.
  case ip6(network: UInt64)
}

extension PeerHost: CustomStringConvertible {
  /// As "192.0.2.7" or "2001:db8:0:1::/64".
  package var description: String {
    switch self {
    case .ip4(let address):
      stride(from: 24, through: 0, by: -8).map { String(address >> $0 & 0xff) }
        .joined(separator: ".")
    case .ip6(let network):
      stride(from: 48, through: 0, by: -16).map { String(network >> $0 & 0xffff, radix: 16) }
        .joined(separator: ":") + "::/64"
    }
  }
}

extension SocketAddress {
  /// The host of an IP address; nil for any other.
  var peerHost: PeerHost? {
    switch family {
    case AF_INET:
      return .ip4(UInt32(truncatingIfNeeded: number(bytes(Self.ip4Offset..<Self.ip4Offset + 4))))
    case AF_INET6:
      let address = bytes(Self.ip6Offset..<Self.ip6Offset + 16)
      // IPv4 written as IPv6.
      if address.starts(with: [UInt8](repeating: 0, count: 10) + [0xff, 0xff]) {
        return .ip4(UInt32(truncatingIfNeeded: number(address[12...])))
      }
      return .ip6(network: number(address[..<8]))
    default: return nil
    }
  }

  private func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
