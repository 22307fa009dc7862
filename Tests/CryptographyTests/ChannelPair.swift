import Cryptography
import TestSupport

/// Both ends of a connection, with nothing but the test between them.
final class ChannelPair {
  let client: SecureChannel
  let server: SecureChannel
  /// What each has been told, in full.
  private(set) var heardByClient: [UInt8] = []
  private(set) var heardByServer: [UInt8] = []

  init(
    client: SecurityFiles, server: SecurityFiles, host: String = "localhost"
  ) throws {
    self.client = SecureChannel(
      try SecurityContext(.client, client), to: host, room: ChannelRoom())
    self.server = SecureChannel(try SecurityContext(.server, server), room: ChannelRoom())
  }

  /// One that trusts what it has to.
  convenience init() throws {
    let authority = try TestAuthority()
    let identity = try authority.issue()
    try self.init(
      client: SecurityFiles(authorities: authority.certificate),
      server: SecurityFiles(certificate: identity.certificate, key: identity.key))
    try shakeHands()
  }

  /// Carries bytes back and forth until neither has anything to say, `pieceBytes` at a time.
  func shakeHands(pieceBytes: Int = ChannelRoom.inputBytesMax) throws {
    var toServer = try feed(client, [])
    var toClient: [UInt8] = []
    while !toServer.isEmpty || !toClient.isEmpty {
      toClient = try feed(server, toServer, pieceBytes)
      toServer = try feed(client, toClient, pieceBytes)
    }
  }

  /// Gives `bytes` to one end; answers what it wants to be sent.
  func feed(
    _ end: SecureChannel, _ bytes: [UInt8], _ pieceBytes: Int = ChannelRoom.inputBytesMax
  ) throws -> [UInt8] {
    var output: [UInt8] = []
    var start = 0
    repeat {
      let piece = Array(bytes[start..<min(start + pieceBytes, bytes.count)])
      start += piece.count
      defer {
        output += end.takenOutput()
        end.takePlaintext { plaintext in
          unsafe plaintext.withUnsafeBytes { bytes in
            if end === client {
              unsafe heardByClient.append(contentsOf: bytes)
            } else {
              unsafe heardByServer.append(contentsOf: bytes)
            }
          }
        }
      }
      try unsafe end.receive(piece.span.bytes)
    } while start < bytes.count
    return output
  }
}

extension SecureChannel {
  /// Encrypts, and answers what is to be sent.
  func encrypted(_ bytes: [UInt8]) -> [UInt8] {
    unsafe bytes.withUnsafeBytes { unsafe write($0) }
    finishWriting()
    return takenOutput()
  }

  func takenOutput() -> [UInt8] { unsafe takeOutput { unsafe Array($0) } }
}
