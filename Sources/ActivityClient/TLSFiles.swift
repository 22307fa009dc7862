internal import Cryptography

/// The files with which a client speaks TLS, in PEM form.
public struct TLSFiles: Hashable, Sendable {
  /// The certificates of those whose signature makes a server trusted; nil for the system's.
  public var authorities: String?
  /// The client's own certificate, which may grant a role; nil for none.
  public var certificate: String?
  /// The key of the certificate; nil if it is in the same file.
  public var key: String?

  /// None: the system's authorities are trusted, and nothing is shown.
  public init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
    self.authorities = authorities
    self.certificate = certificate
    self.key = key
  }

  /// The client's end of a connection.
  func channel(to host: String) throws(SystemError) -> SecureChannel {
    do throws(SecurityFiles.Failure) {
      let files = SecurityFiles(certificate: certificate, key: key, authorities: authorities)
      return SecureChannel(try SecurityContext(.client, files), to: host, room: ChannelRoom())
    } catch {
      throw SystemError(reason: "\(error.path): \(error.reason)")
    }
  }
}
