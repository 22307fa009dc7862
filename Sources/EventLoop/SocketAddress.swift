internal import CLibUV
internal import Glibc

/// The address of a socket: IPv4, IPv6 or a path.
struct SocketAddress {
  /// All kinds begin with the family, in the machine's byte order, and IPs go on with the port.
  private static let portOffset = 2
  private static let pathOffset = 2
  static let ip4Offset = 4
  static let ip6Offset = 8

  private var storage = sockaddr_storage()

  /// The address of an IP literal, as "127.0.0.1" or "::1".
  ///
  /// - Throws: `EINVAL` for anything else, a name too.
  init(host: String, port: UInt16) throws(UVError) {
    let status = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      let raw = UnsafeMutableRawPointer(storage)
      let ip4 = unsafe raw.assumingMemoryBound(to: sockaddr_in.self)
      if unsafe uv_ip4_addr(host, CInt(port), ip4) == 0 { return CInt(0) }
      let ip6 = unsafe raw.assumingMemoryBound(to: sockaddr_in6.self)
      return unsafe uv_ip6_addr(host, CInt(port), ip6)
    }
    try UVError.check(status, "read the address \(host)")
  }

  /// The address of a Unix socket's file.
  ///
  /// - Throws: `ENAMETOOLONG` for more than 107 bytes, `EINVAL` for none, or with a zero byte.
  init(path: String) throws(UVError) {
    let longest = MemoryLayout<sockaddr_un>.size - Self.pathOffset - 1
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw UVError(errno: EINVAL, operation: "read the socket path")
    }
    guard path.utf8.count <= longest else {
      throw UVError(errno: ENAMETOOLONG, operation: "read the socket path")
    }
    storage.ss_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[Self.pathOffset...])
        .copyBytes(from: path.utf8)
    }
  }

  /// The address that a socket is bound to.
  init(of descriptor: CInt) throws(UVError) {
    try unsafe fill("getsockname") { unsafe getsockname(descriptor, $0, $1) }
  }

  /// The address that a socket is connected to.
  init(peerOf descriptor: CInt) throws(UVError) {
    try unsafe fill("getpeername") { unsafe getpeername(descriptor, $0, $1) }
  }

  private mutating func fill(
    _ operation: String,
    _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
  ) throws(UVError) {
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      let raw = UnsafeMutableRawPointer(storage)
      return unsafe call(raw.assumingMemoryBound(to: sockaddr.self), &size)
    }
    if status != 0 { throw UVError(errno: errno, operation: operation) }
  }

  /// Calls `bind` or `connect` with the address.
  func pass(to call: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
    let size =
      switch family {
      case AF_UNIX: MemoryLayout<sockaddr_un>.size
      case AF_INET: MemoryLayout<sockaddr_in>.size
      default: MemoryLayout<sockaddr_in6>.size
      }
    return unsafe withUnsafePointer(to: storage) { storage in
      let raw = unsafe UnsafeRawPointer(storage)
      return unsafe call(raw.assumingMemoryBound(to: sockaddr.self), socklen_t(size))
    }
  }
}

extension SocketAddress {
  /// `AF_INET`, `AF_INET6` or `AF_UNIX`.
  var family: CInt { CInt(storage.ss_family) }

  /// The port of an IP address.
  var port: UInt16 {
    UInt16(bytes(Self.portOffset..<Self.portOffset + 2).reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// Whether an IP address is of this very machine; also when IPv4 is written as IPv6.
  var isLoopback: Bool {
    switch family {
    case AF_INET:
      return bytes(Self.ip4Offset..<Self.ip4Offset + 1) == [127]
    case AF_INET6:
      let address = bytes(Self.ip6Offset..<Self.ip6Offset + 16)
      let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127]
      return address == [UInt8](repeating: 0, count: 15) + [1] || address.starts(with: mapped)
    default:
      return false
    }
  }

  /// An IP address without its port.
  var host: String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let text = buffer.baseAddress!
      let status = unsafe pass { address, _ in unsafe uv_ip_name(address, text, buffer.count) }
      return unsafe status == 0 ? String(cString: text) : ""
    }
  }

  /// The address as one to listen on; nil if it is of another family.
  var listenAddress: ListenAddress? {
    switch family {
    case AF_UNIX: .unix(path: path)
    case AF_INET, AF_INET6: .tcp(host: host, port: port)
    default: nil
    }
  }

  /// The file of a Unix socket; empty if it has none.
  var path: String {
    let path = bytes(Self.pathOffset..<MemoryLayout<sockaddr_un>.size).prefix { $0 != 0 }
    return String(decoding: path, as: UTF8.self)
  }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    unsafe withUnsafeBytes(of: storage) { unsafe Array($0[range]) }
  }
}

extension SocketAddress: CustomStringConvertible {
  /// As "127.0.0.1:7420", "[::1]:7420" or a path.
  var description: String {
    switch family {
    case AF_UNIX: path
    case AF_INET6: "[\(host)]:\(port)"
    default: "\(host):\(port)"
    }
  }
}
