import Glibc
import Testing

/// A folder of a test's own, removed with this object.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/activityd-store-XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { unsafe mkdtemp($0.baseAddress!) }
    try #require(unsafe made != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func file(_ name: String) -> String { path + "/" + name }

  deinit { Self.removeTree(path) }

  private static func removeTree(_ path: String) {
    if let folder = unsafe opendir(path) {
      while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
          unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
        if name != "." && name != ".." { removeTree(path + "/" + name) }
      }
      unsafe closedir(folder)
    }
    _ = unsafe remove(path)
  }
}

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
func contents(_ path: String) -> [UInt8] {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  return unsafe [UInt8](unsafeUninitializedCapacity: size(path)) { buffer, count in
    count = unsafe max(0, read(descriptor, buffer.baseAddress, buffer.count))
  }
}

func write(_ bytes: [UInt8], to path: String) throws {
  let descriptor = unsafe open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o644)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
  try #require(count == bytes.count)
}
