import Glibc
import TestSupport

/// Where a daemon sends what it has to tell its service manager.
final class ServiceManagerSocket {
  let path: String
  private let descriptor: CInt
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("notify")
    descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let status = unsafe withUnsafeBytes(of: address) {
      unsafe bind(
        descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_un>.size))
    }
    guard status == 0 else { throw TestFailure.system("bind") }
    // A daemon that says nothing fails its test, and doesn't hold up the others for ever.
    var patience = timeval(tv_sec: LineClient.patience, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// The variables of the next message.
  func next() throws -> [String: String] {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { throw TestFailure.system("the daemon said nothing") }
    let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
    return Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let parts = line.split(separator: "=", maxSplits: 1)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
      })
  }

  /// The messages up to the first that sets `variable`, that one included.
  func messages(upTo variable: String) throws -> [[String: String]] {
    var messages = [try next()]
    while messages.last?[variable] == nil { messages.append(try next()) }
    return messages
  }
}
