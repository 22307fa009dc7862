internal import Glibc

/// Files that a command reads whole; `-` is the standard input.
enum InputFile {
  /// More than any request may hold.
  static let requestBytesMax = 16 << 20

  static func text(
    _ path: String, bytesMax: Int = requestBytesMax
  ) throws(Failure) -> String {
    let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { if path != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    while true {
      let count = unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { room in
        let count = unsafe read(descriptor, room.baseAddress, room.count)
        if count > 0 { unsafe bytes.append(contentsOf: room.prefix(count)) }
        return count
      }
      if count == 0 { break }
      guard count > 0 || errno == EINTR else { throw unreadable(path) }
      guard bytes.count <= bytesMax else {
        throw Failure(.data, "file-too-large", "\(path) is longer than any request may be")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unreadable(_ path: String) -> Failure {
    let reason = unsafe String(cString: strerror(errno))
    return Failure(.noInput, "no-input", "\(path) can't be read: \(reason)")
  }
}
