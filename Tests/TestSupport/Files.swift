internal import Glibc

/// Files as the tests need them: whole, and small.
package enum Files {
  /// A path within the repository, relative to its root.
  package static func repository(_ path: String) -> String {
    var folder = Substring(#filePath)
    // Tests/TestSupport/Files.swift
    for _ in 0..<3 { folder = folder[..<folder.lastIndex(of: "/")!] }
    return "\(folder)/\(path)"
  }

  /// The content of a text file.
  package static func read(_ path: String) throws -> String {
    String(decoding: try bytes(of: path), as: UTF8.self)
  }

  /// The content of a file.
  package static func bytes(of path: String) throws -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TestFailure.system(path) }
    defer { close(descriptor) }
    var content: [UInt8] = []
    while true {
      let piece = unsafe TestSupport.bytes(upTo: 65_536) { unsafe Glibc.read(descriptor, $0, $1) }
      guard let piece else { throw TestFailure.system(path) }
      if piece.isEmpty { break }
      content += piece
    }
    return content
  }

  /// Makes or replaces a text file.
  package static func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
  }

  /// Makes or replaces a file.
  package static func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw TestFailure.system(path) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw TestFailure.system(path) }
      rest = rest.dropFirst(count)
    }
  }

  package static func makeFolder(_ path: String) throws {
    guard unsafe mkdir(path, 0o755) == 0 else { throw TestFailure.system(path) }
  }

  package static func move(_ path: String, to destination: String) throws {
    guard unsafe rename(path, destination) == 0 else { throw TestFailure.system(path) }
  }

  /// Whether files that are made from the sources are to be written anew: `REWRITE=1 swift test`.
  package static var isRewriting: Bool { unsafe getenv("REWRITE") != nil }

  /// The names of what is in a folder, sorted; empty if there is no such folder.
  package static func names(in path: String) -> [String] {
    guard let folder = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a file, or a folder with all that is in it.
  package static func remove(_ path: String) {
    for name in names(in: path) { remove(path + "/" + name) }
    _ = unsafe Glibc.remove(path)
  }
}

/// What `read` puts into the room that it is given, empty at the end; nil if it failed.
func bytes(
  upTo room: Int, from read: (UnsafeMutableRawPointer, Int) -> Int
) -> [UInt8]? {
  var hasFailed = false
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
    let result = unsafe read(buffer.baseAddress!, room)
    hasFailed = result < 0
    count = max(result, 0)
  }
  return hasFailed ? nil : bytes
}
