internal import Glibc

/// Something that a test relies on didn't come true.
package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  /// A call to the kernel failed; tells why.
  package static func system(_ call: String) -> TestFailure {
    TestFailure("\(call): \(unsafe String(cString: strerror(errno)))")
  }
}
