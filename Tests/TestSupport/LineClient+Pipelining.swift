internal import Glibc

extension LineClient {
  /// Sends without reading, until the other side has taken nothing for a while; answers how many
  /// bytes were taken.
  package func sendWhatIsTaken(_ bytes: [UInt8]) throws -> Int {
    var sent = 0
    while sent < bytes.count, try isReady(for: POLLOUT, milliseconds: 250) {
      sent += try sendSome(bytes[sent...])
    }
    return sent
  }

  /// Sends everything and reads meanwhile, as a client with two threads would.
  ///
  /// - Parameter take: is handed each line that comes. Not all need to have come at the end.
  package func send(_ bytes: ArraySlice<UInt8>, taking take: (String) throws -> Void) throws {
    var rest = bytes
    while !rest.isEmpty {
      guard try isReady(for: POLLIN | POLLOUT, milliseconds: Self.patience * 1_000) else {
        throw TestFailure("nothing was taken, and nothing came, for \(Self.patience) s")
      }
      while let line = try arrivedLine() { try take(line) }
      rest = try rest.dropFirst(sendSome(rest))
    }
  }

  private func sendSome(_ bytes: ArraySlice<UInt8>) throws -> Int {
    let flags = CInt(MSG_NOSIGNAL | MSG_DONTWAIT)
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
    }
    guard count >= 0 || errno == EAGAIN else { throw TestFailure.system("send") }
    return max(count, 0)
  }

  private func isReady(for events: CInt, milliseconds: Int) throws -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    while true {
      let count = unsafe poll(&polled, 1, CInt(milliseconds))
      if count >= 0 { return count > 0 }
      guard errno == EINTR else { throw TestFailure.system("poll") }
    }
  }
}
