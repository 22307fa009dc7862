import Glibc
import TestSupport

/// The permission bits of a file.
func mode(_ path: String) -> mode_t {
  var status = stat()
  guard unsafe stat(path, &status) == 0 else { return 0 }
  return status.st_mode & 0o777
}

/// A file's length in bytes; 0 if there is none.
func size(_ path: String) -> Int {
  var status = stat()
  guard unsafe stat(path, &status) == 0 else { return 0 }
  return status.st_size
}

func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

/// A file's bytes; none if it can't be read.
func contents(_ path: String) -> [UInt8] { (try? Files.bytes(of: path)) ?? [] }
