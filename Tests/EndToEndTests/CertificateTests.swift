import Glibc
import TestSupport
import Testing

@Suite("Certificates")
struct CertificateTests {
  private static let subjectOfServer = #"""
    openssl s_client -connect "$ADDRESS" </dev/null 2>/dev/null | openssl x509 -noout -subject
    """#

  @Test("a reload brings the new certificate, and nobody is disconnected")
  func renewal() throws {
    let daemon = try SecureDaemon()
    let client = try daemon.client()
    #expect(try daemon.type(Self.subjectOfServer).output == "subject=CN = localhost\n")

    let renewed = try daemon.authority.issue("/CN=renewed")
    let line = try daemon.reload(renewed, until: "CN=renewed")
    #expect(line.contains("days-left="))
    #expect(try daemon.type(Self.subjectOfServer).output == "subject=CN = renewed\n")
    #expect(try client.ask(#"{"op":"ping"}"#)["ok"] != nil)
  }

  @Test("a file that can't be used changes nothing, and the log says which and why")
  func badFile() throws {
    let daemon = try SecureDaemon()
    let other = try daemon.authority.issue("/CN=other")
    let mismatched = TestAuthority.Identity(
      certificate: other.certificate, key: try daemon.authority.issue().key)
    let line = try daemon.reload(mismatched, "StopWithin=1s", until: "event=config-rejected")
    #expect(line.contains("at=\(daemon.folder.file("activityd.conf")):"))
    let second = try daemon.reload(mismatched, until: "key values mismatch")
    #expect(second.contains("at=\(daemon.folder.file("activityd.conf")):6 "))
    #expect(second.contains("TLSKey \(mismatched.key)"))
    let missing = TestAuthority.Identity(certificate: "/nonexistent", key: other.key)
    let third = try daemon.reload(missing, until: "No such file")
    #expect(third.contains("TLSCertificate /nonexistent"))
    #expect(try daemon.type(Self.subjectOfServer).output == "subject=CN = localhost\n")
    _ = try daemon.client()
  }

  @Test("a start without what TLS needs is refused with the key that is missing")
  func missing() throws {
    let folder = try TemporaryDirectory()
    let daemon = try DaemonProcess([
      "--listen", "tls:127.0.0.1:0", "--state-dir", folder.file("state"),
    ])
    #expect(try daemon.wait() == .exited(78))
    #expect(daemon.log.last?.contains("TLSCertificate") == true)
  }

  @Test("a client certificate brings the role of its name, and the name is shown")
  func roles() throws {
    let authority = try TestAuthority()
    let daemon = try SecureDaemon(
      """
      TLSClientCA=\(authority.certificate)
      TLSRole=till-3 admin
      TLSRole=CN=décor 3,O=Cantina device
      """, by: authority)
    func role(_ subject: String) throws -> (role: String?, peer: String?) {
      let client = try SecureClient(
        port: daemon.port, trusting: authority, as: authority.issue(subject))
      let role = try client.next()["role"]?.string
      let clients = try daemon.admin()
      try clients.sendLine(#"{"op":"clients"}"#)
      let peer = try clients.next()["client"]?.object?["peer"]?.string
      try client.end()
      while try client.readLine() != nil {}
      return (role, peer)
    }
    let till = try role("/CN=till-3")
    #expect(till.role == "admin")
    #expect(till.peer?.hasPrefix("certificate:till-3,address:127.0.0.1:") == true)
    #expect(try role("/O=Cantina/CN=décor 3").role == "device")
    // Without a role of its own it is good for nothing more than none.
    let stranger = try role("/CN=stranger")
    #expect(stranger.role == "publisher")
    #expect(stranger.peer?.hasPrefix("127.0.0.1:") == true)
    #expect(try daemon.client().ask(#"{"op":"stats"}"#)["error"]?.string == "forbidden")
  }

  @Test("where a token is needed, a certificate with a role stands in its place")
  func insteadOfToken() throws {
    let authority = try TestAuthority()
    let daemon = try SecureDaemon(
      "RequireToken=yes\nTLSClientCA=\(authority.certificate)\nTLSRole=till-3 publisher",
      by: authority)
    let till = try daemon.client(as: authority.issue("/CN=till-3"))
    #expect(try till.ask(#"{"op":"list"}"#)["ok"] != nil)
    for identity in [nil, try authority.issue("/CN=stranger")] {
      let stranger = try daemon.client(as: identity)
      #expect(try stranger.ask(#"{"op":"list"}"#)["error"]?.string == "unauthorized")
    }
  }

  @Test("a client certificate of another authority, or one that has expired, is refused")
  func refused() throws {
    let authority = try TestAuthority()
    let daemon = try SecureDaemon(
      "TLSClientCA=\(authority.certificate)\nTLSRole=* admin", by: authority)
    let another = try TestAuthority("Another")
    for (identity, reason) in [
      (try another.issue("/CN=till-3"), "issuer"),
      (try authority.issue("/CN=till-3", days: -1), "expired"),
    ] {
      #expect(throws: (any Error).self) {
        let client = try SecureClient(port: daemon.port, trusting: authority, as: identity)
        while try client.readLine() != nil {}
      }
      let line = try daemon.process.waitForLine(containing: "event=handshake-failed")
      #expect(line.contains(reason))
    }
    #expect(try daemon.handshakes("failed") == 2)
    #expect(try daemon.client(as: authority.issue("/CN=any")).ask(#"{"op":"stats"}"#)["ok"] != nil)
  }
}
