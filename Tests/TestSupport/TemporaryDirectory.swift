internal import Glibc

/// A folder of a test's own, removed with this object.
package final class TemporaryDirectory {
  /// Short enough for sockets in it.
  package let path: String

  package init() throws {
    var template = Array("/tmp/activityd-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw TestFailure.system("mkdtemp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Files.remove(path) }

  package func file(_ name: String) -> String { path + "/" + name }
}
