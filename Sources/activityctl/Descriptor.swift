internal import Glibc

/// What is open under a number: a file, a pipe, a terminal.
enum Descriptor {
  /// Writes all of it, for as long as that takes; answers false, with `errno`, if it can't.
  static func write(_ bytes: some Collection<UInt8>, to descriptor: CInt) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EAGAIN {
        // Who shares a terminal may have told it not to block.
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&polled, 1, -1)
      } else if count <= 0, errno != EINTR {
        return false
      }
      rest = rest.dropFirst(max(count, 0))
    }
    return true
  }
}
