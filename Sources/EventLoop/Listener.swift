internal import CLibUV
internal import Glibc

/// Awaits connections, and makes each a stream.
///
/// It accepts by itself where libuv could do it, for two reasons. When descriptors run out, libuv takes
/// all who wait and hangs up on them, unasked and unreported, or calls its handler for ever within one
/// turn; here they stay in the kernel's queue. And libuv removes a socket file by its name alone,
/// whoever's it is by then.
package final class Listener: DescriptorWatcher {
  /// Connections accepted in one turn, so that a flood of them leaves time for those that are there.
  private static let acceptedPerTurn = 64

  /// Where it listens, its true port included.
  package let address: ListenAddress

  private let kind: Stream.Kind
  private let file: SocketFile?
  private var onConnection: ((Stream) -> Void)?
  private var onFailure: ((UVError) -> Void)?

  /// Listens from now on.
  ///
  /// An inherited descriptor is the listener's even if this throws.
  ///
  /// - Parameters:
  ///   - backlog: How many connections may wait in the kernel; it has a limit of its own.
  ///   - onConnection: Is given each connection, open and not reading. It must keep or close it.
  ///   - onFailure: Is told when no connection can be accepted, as with `EMFILE`. The listener has then
  ///     paused itself; `resume()` when there is hope, at the latest after a while.
  /// - Throws: `EADDRINUSE` if the address is taken, `ENOTSOCK` if the path is of another kind of file.
  package init(
    loop: Loop, address: ListenAddress, backlog: Int = 4_096,
    onConnection: @escaping (Stream) -> Void, onFailure: @escaping (UVError) -> Void
  ) throws(UVError) {
    let socket = try ListeningSocket.open(address, backlog: CInt(backlog))
    self.address = socket.address
    self.onConnection = onConnection
    self.onFailure = onFailure
    kind = socket.kind
    file = socket.file
    try super.init(loop: loop, descriptor: socket.descriptor)
    resume()
  }

  /// Whether connections are being accepted.
  package var isAccepting: Bool { isWatching }

  /// Leaves connections in the kernel's queue until `resume()`.
  package func pause() {
    stopWatching()
  }

  /// Accepts again.
  package func resume() {
    startWatching()
  }

  package override func close() {
    guard !isClosing else { return }
    file?.removeIfOurs()
    super.close()
  }

  override func didClose() {
    onConnection = nil
    onFailure = nil
  }

  override func watchingFailed(_ error: UVError) {
    onFailure?(error)
  }

  override func becameReadable() {
    for _ in 0..<Self.acceptedPerTurn {
      // A handler may have paused or closed it.
      guard isAccepting else { return }
      do {
        onConnection?(try accept())
      } catch {
        switch error.errno {
        case EAGAIN: return
        case ECONNABORTED, EPROTO, EPERM, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENONET,
          ENOPROTOOPT, EOPNOTSUPP, ETIMEDOUT:
          // Of one connection, which Linux reports here; the next may be fine.
          continue
        default:
          pause()
          onFailure?(error)
        }
      }
    }
  }

  private func accept() throws(UVError) -> Stream {
    let connection = try acceptDescriptor()
    do {
      return try Stream(loop: loop, adopting: connection, kind: kind)
    } catch {
      _ = Glibc.close(connection)
      throw error
    }
  }

  private func acceptDescriptor() throws(UVError) -> CInt {
    let flags = CInt(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    return try systemCall("accept") { accept4(descriptor, nil, nil, flags) }
  }

  /// Sends those who wait to be connected `farewell()` and hangs up, one after the other by means of
  /// one descriptor: for when there are no more.
  package func turnAway(using reserve: ReserveDescriptor, _ farewell: () -> [UInt8]) {
    guard !isClosing else { return }
    for _ in 0..<Self.acceptedPerTurn {
      var isDone = true
      reserve.lend {
        guard let connection = try? acceptDescriptor() else { return }
        isDone = false
        say(farewell(), lastOn: connection)
        Glibc.close(connection)
      }
      if isDone { return }
    }
  }
}

/// Says the last words on a connection that is to be closed at once.
func say(_ farewell: [UInt8], lastOn connection: CInt) {
  // A new connection has room for it; should it not, or be gone, nothing is lost.
  unsafe send(connection, farewell, farewell.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
  shutdown(connection, CInt(SHUT_WR))
  // What it sent already, unread, would take the words back.
  unsafe withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { room in
    let (room, size) = (room.baseAddress, room.count)
    for _ in 0..<16 {
      guard unsafe recv(connection, room, size, CInt(MSG_DONTWAIT)) > 0 else { break }
    }
  }
}
