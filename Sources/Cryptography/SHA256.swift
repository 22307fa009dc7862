internal import COpenSSL

/// SHA-256 of `bytes`, 32 bytes. A secret of 256 random bits can be stored so: nobody finds it by
/// trying. Any thread.
package func sha256(_ bytes: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: 32)
  let done = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
  precondition(done == 1, "OpenSSL has SHA-256")
  return digest
}

/// Whether `left` and `right` are the same bytes, found out in a time that depends on nothing but
/// their number, so that nobody comes nearer to a secret by measuring.
package func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
