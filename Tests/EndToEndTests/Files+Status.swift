import Glibc
import TestSupport

extension Files {
  /// The permissions of a file; nil if there is none.
  static func mode(of path: String) -> mode_t? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  static func setMode(_ mode: mode_t, of path: String) throws {
    guard unsafe chmod(path, mode) == 0 else { throw TestFailure.system(path) }
  }

  static func makeFolder(_ path: String) throws {
    guard unsafe mkdir(path, 0o700) == 0 else { throw TestFailure.system(path) }
  }
}
