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
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TestFailure.system(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var count = 1
    while count > 0 {
      count = unsafe append(to: &bytes, upTo: 65_536) { unsafe Glibc.read(descriptor, $0, $1) }
    }
    guard count == 0 else { throw TestFailure.system(path) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Makes or replaces a text file.
  package static func write(_ text: String, to path: String) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw TestFailure.system(path) }
    defer { close(descriptor) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw TestFailure.system(path) }
      rest = rest.dropFirst(count)
    }
  }

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

/// Appends what `read` puts into the room it is given; answers what it answered.
func append(
  to bytes: inout [UInt8], upTo room: Int, with read: (UnsafeMutableRawPointer, Int) -> Int
) -> Int {
  let count = bytes.count
  bytes.append(contentsOf: repeatElement(0, count: room))
  let added = unsafe bytes.withUnsafeMutableBytes {
    unsafe read($0.baseAddress! + count, room)
  }
  bytes.removeLast(room - max(added, 0))
  return added
}
