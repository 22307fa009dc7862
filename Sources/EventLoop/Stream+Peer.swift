internal import CLibUV
internal import Glibc

/// Who is at the other end of a Unix socket, as of when it connected. Has the layout of C's `ucred`.
package struct PeerCredentials: Equatable, Sendable {
  /// The process, which may have ended since.
  package var process: Int32
  /// Its effective user.
  package var user: UInt32
  /// Its effective group.
  package var group: UInt32

  package init(process: Int32, user: UInt32, group: UInt32) {
    self.process = process
    self.user = user
    self.group = group
  }
}

extension Stream {
  /// The process at the other end of a Unix socket.
  package var peerCredentials: PeerCredentials {
    get throws(UVError) {
      var credentials = PeerCredentials(process: 0, user: 0, group: 0)
      var size = socklen_t(MemoryLayout<PeerCredentials>.size)
      let descriptor = try fileDescriptor
      try systemCall("SO_PEERCRED") {
        unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
      }
      return credentials
    }
  }

  /// The supplementary groups of the process at the other end of a Unix socket.
  package var peerGroups: [UInt32] {
    get throws(UVError) {
      let descriptor = try fileDescriptor
      var groups = [UInt32](repeating: 0, count: 32)
      while true {
        var size = socklen_t(groups.count * MemoryLayout<UInt32>.size)
        let status = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &size)
        let count = Int(size) / MemoryLayout<UInt32>.size
        if status == 0 { return Array(groups.prefix(count)) }
        // The kernel then says how large it would have to be.
        guard errno == ERANGE else { throw UVError(errno: errno, operation: "SO_PEERGROUPS") }
        groups = [UInt32](repeating: 0, count: count)
      }
    }
  }

  /// The other end of a TCP connection, as "127.0.0.1:53412" or "[::1]:53412"; nil for a Unix socket,
  /// and once the connection is gone.
  package var peerAddress: String? {
    guard kind == .tcp else { return nil }
    return (try? SocketAddress(peerOf: fileDescriptor))?.description
  }

  /// The host at the other end of a TCP connection; nil for a Unix socket, and once the connection is
  /// gone.
  package var peerHost: PeerHost? {
    guard kind == .tcp else { return nil }
    return (try? SocketAddress(peerOf: fileDescriptor))?.peerHost
  }

  /// Whether the other end of a TCP connection is on this machine; false when in doubt.
  package var isLoopbackPeer: Bool {
    guard kind == .tcp else { return false }
    return (try? SocketAddress(peerOf: fileDescriptor))?.isLoopback ?? false
  }

  /// Gives a connection up if the peer leaves what was sent unacknowledged for so long. TCP only.
  package func setUserTimeout(milliseconds: Int) throws(UVError) {
    precondition(kind == .tcp, "a Unix socket has no time limits")
    try setSocketOption(
      fileDescriptor, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, CInt(milliseconds), "TCP_USER_TIMEOUT")
  }

  /// Probes a connection that was silent for so long, each second, and gives it up after ten probes.
  /// TCP only.
  package func setKeepAlive(afterSeconds seconds: Int) throws(UVError) {
    precondition(kind == .tcp, "a Unix socket has no time limits")
    let tcp = unsafe memory.assumingMemoryBound(to: uv_tcp_t.self)
    try UVError.check(unsafe uv_tcp_keepalive(tcp, 1, UInt32(seconds)), "uv_tcp_keepalive")
  }
}
