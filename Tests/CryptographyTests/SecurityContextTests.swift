import Cryptography
import TestSupport
import Testing

@Suite("The files of TLS")
struct SecurityContextTests {
  private let authority: TestAuthority
  private let identity: TestAuthority.Identity
  private let folder: TemporaryDirectory

  init() throws {
    authority = try TestAuthority()
    identity = try authority.issue()
    folder = try TemporaryDirectory()
  }

  private func failure(of files: SecurityFiles) -> SecurityFiles.Failure? {
    #expect(throws: SecurityFiles.Failure.self) { try SecurityContext(.server, files) }
  }

  @Test("a file that is missing or holds something else is named")
  func bad() throws {
    let missing = folder.file("missing")
    let prose = folder.file("prose")
    try Files.write("no certificate\n", to: prose)
    for (path, reason) in [(missing, "No such file"), (prose, "no start line")] {
      let certificate = failure(of: SecurityFiles(certificate: path, key: identity.key))
      #expect(certificate?.kind == .certificate && certificate?.path == path)
      #expect(certificate?.reason.contains(reason) == true)
      let key = failure(of: SecurityFiles(certificate: identity.certificate, key: path))
      #expect(key?.kind == .key && key?.path == path)
      let authorities = failure(
        of: SecurityFiles(
          certificate: identity.certificate, key: identity.key, authorities: path))
      #expect(authorities?.kind == .authorities && authorities?.path == path)
    }
  }

  @Test("another certificate's key is refused")
  func mismatch() throws {
    let other = try authority.issue()
    let failure = failure(of: SecurityFiles(certificate: identity.certificate, key: other.key))
    #expect(failure?.kind == .key)
    #expect(failure?.reason == "key values mismatch")
  }

  @Test("a key with a passphrase is refused, and nobody is asked for it")
  func passphrase() throws {
    let locked = folder.file("locked")
    let result = try Shell.run(
      "openssl ec -in \(identity.key) -aes256 -passout pass:secret -out \(locked) 2>&1")
    try #require(result.status == 0)
    let failure = failure(of: SecurityFiles(certificate: identity.certificate, key: locked))
    #expect(failure?.kind == .key)
  }

  @Test("certificate and key may be in one file, and the certificate is told of")
  func together() throws {
    let both = folder.file("both")
    try Files.write(
      Files.read(identity.certificate) + Files.read(identity.key), to: both)
    let context = try SecurityContext(.server, SecurityFiles(certificate: both))
    #expect(context.certificate?.subject == "CN=localhost")
  }
}
