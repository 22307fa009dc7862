internal import COpenSSL

/// Why a connection can't be had or trusted, or a file not be used: in OpenSSL's words, as "wrong
/// version number" or "certificate has expired".
package struct SecurityError: Error, Equatable, Sendable {
  package let reason: String

  init(reason: String) {
    self.reason = reason
  }

  /// The first error that OpenSSL noted on this thread since its notes were cleared; what follows the
  /// first is how it got passed on.
  static func noted() -> SecurityError {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0 else { return SecurityError(reason: "unknown") }
    let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      let start = buffer.baseAddress!
      unsafe ERR_error_string_n(code, start, buffer.count)
      return unsafe String(cString: start)
    }
    // "error:0A00010B:SSL routines:function:reason"
    let parts = text.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
    return SecurityError(reason: String(parts.last ?? ""))
  }

  /// Why `ssl` gave its connection up. That a certificate wasn't accepted says less than why.
  static func noted(by ssl: OpaquePointer) -> SecurityError {
    let error = noted()
    let verdict = unsafe SSL_get_verify_result(ssl)
    guard verdict != X509_V_OK, let text = unsafe X509_verify_cert_error_string(verdict) else {
      return error
    }
    return SecurityError(reason: unsafe String(cString: text))
  }
}
