internal import COpenSSL

/// What is told of a certificate.
package struct Certificate: Equatable, Sendable {
  /// The whole subject, as `CN=till-3,O=Cantina`: the way of RFC 2253, the last part first.
  package let subject: String
  /// The last common name of the subject; nil if there is none, or one that no name can be.
  package let commonName: String?
  /// When it expires, in words, UTC.
  package let validUntil: String
  /// Whole days until then from when this was made; negative afterwards.
  package let daysLeft: Int

  init(_ raw: OpaquePointer) {
    let name = unsafe X509_get_subject_name(raw)
    let expiry = unsafe X509_get0_notAfter(raw)
    subject = unsafe Self.text { unsafe X509_NAME_print_ex($0, name, 0, x509_name_readable) }
    commonName = unsafe Self.commonName(of: name)
    validUntil = unsafe Self.text { unsafe ASN1_TIME_print($0, expiry) }
    var days: CInt = 0
    var seconds: CInt = 0
    _ = unsafe ASN1_TIME_diff(&days, &seconds, nil, expiry)
    daysLeft = Int(days) - (seconds < 0 ? 1 : 0)
  }

  private static func commonName(of name: OpaquePointer?) -> String? {
    var last: CInt = -1
    while true {
      let next = unsafe X509_NAME_get_index_by_NID(name, NID_commonName, last)
      guard next >= 0 else { break }
      last = next
    }
    guard last >= 0 else { return nil }
    let value = unsafe X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, last))
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = unsafe ASN1_STRING_to_UTF8(&bytes, value)
    guard count > 0, let start = unsafe bytes else { return nil }
    defer { unsafe openssl_free(start) }
    let buffer = unsafe UnsafeBufferPointer(start: start, count: Int(count))
    // A zero or a newline in a name can only be meant to deceive.
    guard unsafe buffer.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    return unsafe String(validating: buffer, as: UTF8.self)
  }

  /// What `print` writes.
  private static func text(_ print: (OpaquePointer) -> CInt) -> String {
    guard let memory = unsafe BIO_new(BIO_s_mem()) else { return "" }
    defer { unsafe BIO_free(memory) }
    guard unsafe print(memory) >= 0 else { return "" }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe BIO_read(memory, &bytes, CInt(bytes.count))
    return String(decoding: bytes.prefix(Int(max(count, 0))), as: UTF8.self)
  }
}
