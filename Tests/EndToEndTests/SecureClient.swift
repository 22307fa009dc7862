import Cryptography
import Glibc
import TestSupport

/// A client over TLS that can also do what no well-behaved one would.
final class SecureClient {
  let socket: LineClient
  let channel: SecureChannel
  private var buffer = LineBuffer()
  /// Nothing more comes from the socket.
  private var hasEnded = false

  /// Connects and shakes hands.
  init(
    port: UInt16, trusting authority: TestAuthority, as identity: TestAuthority.Identity? = nil
  ) throws {
    let files = SecurityFiles(
      certificate: identity?.certificate, key: identity?.key, authorities: authority.certificate)
    socket = try LineClient(port: port)
    channel = SecureChannel(
      try SecurityContext(.client, files), to: "localhost", room: ChannelRoom())
    try take([])
    while !channel.isOpen {
      guard try receive() else { throw TestFailure("the daemon closed it amid the handshake") }
    }
  }

  /// What the daemon is to be sent for these bytes; each call makes records of its own.
  func encrypted(_ bytes: [UInt8]) -> [UInt8] {
    unsafe bytes.withUnsafeBytes { unsafe channel.write($0) }
    channel.finishWriting()
    return output()
  }

  func send(_ bytes: [UInt8]) throws { try socket.send(encrypted(bytes)) }

  func sendLine(_ line: String) throws { try send(Array((line + "\n").utf8)) }

  /// Says that nothing more is sent, as TLS does.
  func end() throws {
    channel.end()
    try socket.send(output())
  }

  /// Whether the end that came was meant to be one.
  var wasTold: Bool { channel.hasReachedEnd }

  /// The next line; nil at the end.
  func readLine() throws -> String? {
    while true {
      if let line = buffer.nextLine() { return line }
      guard try receive() else { return nil }
    }
  }

  /// The next line.
  func next() throws -> JSONLine {
    guard let line = try readLine() else { throw TestFailure("the connection was closed") }
    return try JSONLine(line)
  }

  /// Sends a request and reads the next line.
  func ask(_ request: String) throws -> JSONLine {
    try sendLine(request)
    return try next()
  }

  private func output() -> [UInt8] { unsafe channel.takeOutput { unsafe Array($0) } }

  private func take(_ bytes: [UInt8]) throws {
    defer {
      channel.takePlaintext { bytes in
        unsafe bytes.withUnsafeBytes { unsafe buffer.append(Array($0)) }
      }
    }
    do {
      try unsafe channel.receive(bytes.span.bytes)
    } catch {
      try? socket.send(output())
      throw error
    }
    try socket.send(output())
  }

  /// Waits for bytes; answers false at the end.
  private func receive() throws -> Bool {
    guard !hasEnded, !channel.hasReachedEnd else { return false }
    let received = try socket.receiveBytes()
    hasEnded = received.isEmpty
    try take(received)
    return true
  }
}
