internal import CLibUV
internal import Glibc

/// The file of a Unix socket that this process has bound, told from others by device and inode. Neither
/// can be given to another file as long as the socket is open.
struct SocketFile {
  let path: String
  private let device: dev_t
  private let inode: ino_t

  /// The file that a socket has just been bound to.
  init(path: String) throws(UVError) {
    let status = try Self.status(of: path)
    self.path = path
    device = status.st_dev
    inode = status.st_ino
  }

  /// Removes the file unless somebody has put another in its place. To be called before the socket is
  /// closed. What can't be removed stays: the next to bind will find it stale.
  func removeIfOurs() {
    guard let status = try? Self.status(of: path), status.st_dev == device, status.st_ino == inode
    else { return }
    unsafe unlink(path)
  }

  /// Makes place for a socket at `path`: removes a socket that nobody listens on.
  ///
  /// - Throws: `EADDRINUSE` if somebody does, `ENOTSOCK` if it is no socket; neither is touched.
  static func removeStale(at path: String) throws(UVError) {
    do throws(UVError) {
      guard try status(of: path).st_mode & S_IFMT == S_IFSOCK else {
        throw UVError(errno: ENOTSOCK, operation: "replace \(path)")
      }
      try connect(to: path)
    } catch {
      switch error.errno {
      case ENOENT: return
      case ECONNREFUSED: try systemCall("unlink \(path)") { unsafe unlink(path) }
      // A queue that is full is somebody's.
      case EAGAIN: throw UVError(errno: EADDRINUSE, operation: "replace \(path)")
      default: throw error
      }
      return
    }
    throw UVError(errno: EADDRINUSE, operation: "replace \(path)")
  }

  private static func connect(to path: String) throws(UVError) {
    let address = try SocketAddress(path: path)
    let descriptor = try openSocket(family: AF_UNIX)
    defer { close(descriptor) }
    try systemCall("connect to \(path)") {
      unsafe address.pass { unsafe Glibc.connect(descriptor, $0, $1) }
    }
  }

  private static func status(of path: String) throws(UVError) -> stat {
    var status = stat()
    try systemCall("examine \(path)") { unsafe lstat(path, &status) }
    return status
  }
}
