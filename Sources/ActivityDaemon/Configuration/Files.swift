internal import Glibc

/// Why a file or folder couldn't be read.
struct FileError: Error {
  var message: String
  /// There is nothing of that name.
  var isMissing = false

  fileprivate static func system() -> FileError {
    FileError(
      message: unsafe String(cString: strerror(errno)),
      isMissing: errno == ENOENT || errno == ENOTDIR)
  }
}

/// Files as the configuration needs them: whole, and small.
enum Files {
  static func content(of path: String, bytesMax: Int) throws(FileError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError.system() }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { throw FileError.system() }
      guard count > 0 else { return content }
      content += chunk.prefix(count)
      guard content.count <= bytesMax else {
        throw FileError(message: "the file is longer than \(bytesMax) bytes")
      }
    }
  }

  /// The names of what is in a folder, sorted by their bytes; hidden ones are left out.
  static func names(in path: String) throws(FileError) -> [String] {
    guard let folder = unsafe opendir(path) else { throw FileError.system() }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
