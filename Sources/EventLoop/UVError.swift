internal import CLibUV
internal import Glibc

/// What libuv, or the kernel itself, answered instead of doing what it was asked.
package struct UVError: Error, Equatable, Sendable {
  /// Always negative; on Linux the negative `errno`, but for a few codes of libuv's own.
  package let code: CInt
  /// What was asked, as "bind"; for people, never for decisions.
  package let operation: String

  init(code: CInt, operation: String) {
    precondition(code < 0, "an error has a negative code")
    self.code = code
    self.operation = operation
  }

  /// An error of the kernel's; `errno` is positive, as `EADDRINUSE`.
  package init(errno: CInt, operation: String) {
    self.init(code: -errno, operation: operation)
  }

  /// As C's `errno`, to be compared with `EADDRINUSE` and its like.
  package var errno: CInt { -code }

  /// The constant's name, as "EADDRINUSE".
  package var name: String { unsafe Self.text { unsafe uv_err_name_r(code, $0, $1) } }

  /// A sentence fragment, as "address already in use".
  package var message: String { unsafe Self.text { unsafe uv_strerror_r(code, $0, $1) } }

  /// Throws if `status`, of a function of libuv's, is an error.
  static func check(_ status: CInt, _ operation: String) throws(UVError) {
    if status < 0 { throw UVError(code: status, operation: operation) }
  }

  private static func text(_ fill: (UnsafeMutablePointer<CChar>, Int) -> Void) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      let start = buffer.baseAddress!
      unsafe fill(start, buffer.count)
      return unsafe String(cString: start)
    }
  }
}

extension UVError: CustomStringConvertible {
  package var description: String { "\(operation): \(message) (\(name))" }
}

/// Calls the kernel, again whenever a signal interrupts it, and throws `errno` if it answers -1.
@discardableResult
func systemCall<Result: SignedInteger>(
  _ operation: String, _ call: () -> Result
) throws(UVError) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    if errno != EINTR { throw UVError(errno: errno, operation: operation) }
  }
}
