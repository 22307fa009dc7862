internal import COpenSSL

/// What connections over TLS are set up with: certificate, key, and who is trusted.
///
/// It never changes. Renewed certificates make a new one; connections keep the one they began with.
// Unchecked for the pointer's sake: OpenSSL counts references to a context atomically, and nothing is
// set in it after `init`.
@safe package final class SecurityContext: @unchecked Sendable {
  let raw: OpaquePointer
  /// What it shows to the other end; nil if a client shows nothing.
  package let certificate: Certificate?

  /// Which end of a connection this is for.
  package enum Side: Sendable {
    case server
    case client
  }

  /// Reads the files.
  ///
  /// A server needs a certificate; with `authorities` it asks clients for one, and takes none that
  /// isn't signed by these. A client trusts the authorities of the system where none are given.
  package init(_ side: Side, _ files: SecurityFiles) throws(SecurityFiles.Failure) {
    let method = unsafe side == .server ? TLS_server_method() : TLS_client_method()
    guard let context = unsafe SSL_CTX_new(method) else {
      preconditionFailure("OpenSSL has no memory left")
    }
    unsafe Self.harden(context)
    do throws(SecurityFiles.Failure) {
      try unsafe Self.load(files, into: context)
      try unsafe Self.trust(files.authorities, side, context)
    } catch {
      unsafe SSL_CTX_free(context)
      throw error
    }
    unsafe raw = context
    certificate = unsafe SSL_CTX_get0_certificate(context).map { unsafe Certificate($0) }
  }

  deinit {
    unsafe SSL_CTX_free(raw)
  }
}

extension SecurityContext {
  /// For a certificate chain with room to spare; the default is 100 KiB.
  private static let certificateListBytesMax = 32_768
  /// For as long a resumed session passes for what was verified.
  private static let ticketSeconds = 3_600

  private static func harden(_ context: OpaquePointer) {
    let isNewEnough = unsafe ssl_context_set_lowest_version(context, TLS1_2_VERSION)
    // Of TLS 1.2 what has forward secrecy and authenticates what it encrypts; 1.3 has nothing else.
    let hasCiphers = unsafe SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20")
    precondition(isNewEnough == 1 && hasCiphers == 1, "OpenSSL lacks TLS 1.2")
    // A renegotiation lets a client have the costliest step carried out again and again, and
    // compression tells secrets by the length of what is sent.
    unsafe SSL_CTX_set_options(context, ssl_options_hardened)
    // An idle connection gives back its 16 KiB for records.
    unsafe ssl_context_set_mode(context, Int(SSL_MODE_RELEASE_BUFFERS))
    // Sessions are resumed by tickets, for which nothing is kept here.
    unsafe ssl_context_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
    unsafe SSL_CTX_set_timeout(context, ticketSeconds)
    unsafe SSL_CTX_set_num_tickets(context, 1)
    unsafe ssl_context_set_longest_certificate_list(context, certificateListBytesMax)
    // The key isn't asked for a passphrase: nobody is there to type one.
    unsafe SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
  }

  /// The certificate with what is between it and its authority, and its key; none of them is fine for
  /// a client.
  private static func load(
    _ files: SecurityFiles, into context: OpaquePointer
  ) throws(SecurityFiles.Failure) {
    guard let path = files.certificate else { return }
    try SecurityFiles.check(.certificate, path) {
      unsafe SSL_CTX_use_certificate_chain_file(context, path)
    }
    // Which also finds out whether it belongs to the certificate.
    let keyPath = files.key ?? path
    try SecurityFiles.check(.key, keyPath) {
      unsafe SSL_CTX_use_PrivateKey_file(context, keyPath, SSL_FILETYPE_PEM)
    }
  }

  private static func trust(
    _ authorities: String?, _ side: Side, _ context: OpaquePointer
  ) throws(SecurityFiles.Failure) {
    if side == .client { unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil) }
    guard let path = authorities else {
      if side == .client { unsafe SSL_CTX_set_default_verify_paths(context) }
      return
    }
    try SecurityFiles.check(.authorities, path) {
      unsafe SSL_CTX_load_verify_file(context, path)
    }
    guard side == .server else { return }
    // So that clients know which certificate to show. A client without one may go on: that is for
    // those who ask what role it has.
    unsafe SSL_CTX_set_client_CA_list(context, SSL_load_client_CA_file(path))
    unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    // Tickets of this context are good for this context only.
    let id = Array("activityd".utf8)
    unsafe SSL_CTX_set_session_id_context(context, id, UInt32(id.count))
  }
}

/// The files of a `SecurityContext`, in PEM form.
package struct SecurityFiles: Equatable, Hashable, Sendable {
  /// The certificate, followed by those between it and its authority.
  package var certificate: String?
  /// Its private key; nil if that is in the certificate's file.
  package var key: String?
  /// The certificates of those whose signature is trusted.
  package var authorities: String?

  package init(certificate: String? = nil, key: String? = nil, authorities: String? = nil) {
    self.certificate = certificate
    self.key = key
    self.authorities = authorities
  }

  /// Which of them.
  package enum Kind: Sendable {
    case certificate
    case key
    case authorities
  }

  /// A file that can't be used.
  package struct Failure: Error, Equatable, Sendable {
    package let kind: Kind
    package let path: String
    package let reason: String
  }

  fileprivate static func check(
    _ kind: Kind, _ path: String, _ load: () -> CInt
  ) throws(Failure) {
    ERR_clear_error()
    guard load() != 1 else { return }
    throw Failure(kind: kind, path: path, reason: SecurityError.noted().reason)
  }
}
