import Cryptography
import TestSupport
import Testing

@Suite("A TLS connection without its socket")
struct SecureChannelTests {
  @Test("hands are shaken, and words go both ways", arguments: [1, 7, 65_536])
  func handshake(pieceBytes: Int) throws {
    let authority = try TestAuthority()
    let identity = try authority.issue()
    let pair = try ChannelPair(
      client: SecurityFiles(authorities: authority.certificate),
      server: SecurityFiles(certificate: identity.certificate, key: identity.key))
    #expect(!pair.client.canWrite && !pair.server.canWrite)
    try pair.shakeHands(pieceBytes: pieceBytes)
    #expect(pair.client.canWrite && pair.server.canWrite)
    #expect(pair.server.version == "TLSv1.3")
    #expect(pair.server.peerCertificate == nil)

    _ = try pair.feed(pair.server, pair.client.encrypted(Array("ping\n".utf8)), pieceBytes)
    _ = try pair.feed(pair.client, pair.server.encrypted(Array("pong\n".utf8)), pieceBytes)
    #expect(pair.heardByServer == Array("ping\n".utf8))
    #expect(pair.heardByClient == Array("pong\n".utf8))
  }

  @Test("a million bytes arrive as they were sent, however they are cut", arguments: [100, 65_536])
  func volume(pieceBytes: Int) throws {
    let pair = try ChannelPair()
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }
    let sent = pair.client.encrypted(bytes)
    #expect(sent.count > bytes.count)
    // A record holds 16 KiB.
    #expect(sent.count < bytes.count + (bytes.count / 16_384 + 1) * 32)
    _ = try pair.feed(pair.server, sent, pieceBytes)
    #expect(pair.heardByServer == bytes)
  }

  @Test("what is written piece by piece becomes one record, in its order")
  func gathering() throws {
    let pair = try ChannelPair()
    var expected: [UInt8] = []
    for piece in 0..<100 {
      let bytes = [UInt8](repeating: UInt8(piece), count: piece)
      unsafe bytes.withUnsafeBytes { unsafe pair.server.write($0) }
      expected += bytes
    }
    pair.server.finishWriting()
    let sent = pair.server.takenOutput()
    #expect(sent.count < expected.count + 32)
    _ = try pair.feed(pair.client, sent)
    #expect(pair.heardByClient == expected)
  }

  @Test("records of one byte each are put together")
  func tinyRecords() throws {
    let pair = try ChannelPair()
    let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0) }
    let sent = bytes.flatMap { pair.client.encrypted([$0]) }
    _ = try pair.feed(pair.server, sent)
    #expect(pair.heardByServer == bytes)
  }

  @Test("one end can end, and be spoken to further")
  func halfClose() throws {
    let pair = try ChannelPair()
    pair.client.end()
    #expect(!pair.client.canWrite)
    #expect(!pair.server.hasReachedEnd)
    _ = try pair.feed(pair.server, pair.client.takenOutput())
    #expect(pair.server.hasReachedEnd)
    _ = try pair.feed(pair.client, pair.server.encrypted(Array("more".utf8)))
    #expect(pair.heardByClient == Array("more".utf8))
    #expect(pair.client.encrypted([1]).isEmpty)
  }

  @Test("a changed byte ends the connection, and the other end is told")
  func tampering() throws {
    let pair = try ChannelPair()
    let good = pair.client.encrypted(Array("good".utf8))
    var bad = pair.client.encrypted(Array("bad".utf8))
    bad[bad.count - 1] ^= 1
    #expect(throws: SecurityError.self) { try pair.feed(pair.server, good + bad) }
    // What came before is whole.
    #expect(pair.heardByServer == Array("good".utf8))
    #expect(!pair.server.canWrite)
  }

  @Test("a server that is somebody else is refused", arguments: ["example.com", "127.0.0.2"])
  func wrongHost(host: String) throws {
    let authority = try TestAuthority()
    let identity = try authority.issue()
    let pair = try ChannelPair(
      client: SecurityFiles(authorities: authority.certificate),
      server: SecurityFiles(certificate: identity.certificate, key: identity.key), host: host)
    let error = #expect(throws: SecurityError.self) { try pair.shakeHands() }
    #expect(error?.reason.contains("mismatch") == true)
    #expect(!pair.server.canWrite)
  }

  @Test("certificates that have expired or are another's are refused by either end")
  func untrusted() throws {
    let authority = try TestAuthority()
    let good = try authority.issue()
    let expired = try authority.issue(days: -1)
    let another = try TestAuthority("Another")
    let foreign = try another.issue()
    func files(_ identity: TestAuthority.Identity) -> SecurityFiles {
      SecurityFiles(
        certificate: identity.certificate, key: identity.key, authorities: authority.certificate)
    }
    for (bad, reason) in [(expired, "expired"), (foreign, "issuer")] {
      for (client, server) in [(good, bad), (bad, good)] {
        let pair = try ChannelPair(client: files(client), server: files(server))
        let error = #expect(throws: SecurityError.self) { try pair.shakeHands() }
        #expect(error?.reason.contains(reason) == true)
      }
    }
    let pair = try ChannelPair(client: files(good), server: files(good))
    try pair.shakeHands()
    #expect(pair.server.peerCertificate?.commonName == "localhost")
  }

  @Test("a client certificate tells who it is, in any alphabet")
  func subject() throws {
    let authority = try TestAuthority()
    let server = try authority.issue()
    let till = try authority.issue("/O=Café, Ltd/CN=décor 3")
    let pair = try ChannelPair(
      client: SecurityFiles(
        certificate: till.certificate, key: till.key, authorities: authority.certificate),
      server: SecurityFiles(
        certificate: server.certificate, key: server.key, authorities: authority.certificate))
    try pair.shakeHands()
    let certificate = try #require(pair.server.peerCertificate)
    #expect(certificate.commonName == "décor 3")
    #expect(certificate.subject == #"CN=décor 3,O=Café\, Ltd"#)
    #expect((1...2).contains(certificate.daysLeft))
    #expect(certificate.validUntil.hasSuffix("GMT"))
  }
}
