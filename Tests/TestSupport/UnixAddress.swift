internal import Glibc

extension sockaddr_un {
  /// That of a Unix socket.
  init(path: String) throws {
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: sun_path) else {
      throw TestFailure("\(path) is too long for a socket")
    }
    unsafe withUnsafeMutableBytes(of: &sun_path) { unsafe $0.copyBytes(from: path.utf8) }
  }
}
