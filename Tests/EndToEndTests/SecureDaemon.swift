import Glibc
import TestSupport

/// A daemon that speaks TLS on a port of its own, and listens on a Unix socket.
final class SecureDaemon {
  let authority: TestAuthority
  let folder: TemporaryDirectory
  let process: DaemonProcess
  let port: UInt16

  /// - Parameter settings: what follows in the section `[Access]`.
  init(_ settings: String = "", by authority: TestAuthority? = nil) throws {
    let authority = try authority ?? TestAuthority()
    self.authority = authority
    folder = try TemporaryDirectory()
    try Self.write(settings, authority.issue(), in: folder)
    process = try DaemonProcess(["--config", folder.file("activityd.conf")])
    let address = try process.waitUntilReady().first { $0.hasPrefix("tls:") }
    guard let port = address?.split(separator: ":").last.flatMap({ UInt16($0) }) else {
      throw TestFailure("no port of TLS")
    }
    self.port = port
  }

  private static func write(
    _ settings: String, _ identity: TestAuthority.Identity, in folder: TemporaryDirectory
  ) throws {
    try Files.write(
      """
      [Daemon]
      ListenTLS=127.0.0.1:0
      ListenUnix=\(folder.file("socket"))
      StateDirectory=\(folder.file("state"))
      TLSCertificate=\(identity.certificate)
      TLSKey=\(identity.key)
      [Access]
      LoopbackRole=publisher
      \(settings)
      """, to: folder.file("activityd.conf"))
  }

  /// Lets it read another configuration; answers the log line that contains `event`.
  func reload(
    _ identity: TestAuthority.Identity, _ settings: String = "", until event: String
  ) throws -> String {
    try Self.write(settings, identity, in: folder)
    process.signal(SIGHUP)
    return try process.waitForLine(containing: event)
  }

  /// A client over TLS. Its banner has been read.
  func client(as identity: TestAuthority.Identity? = nil) throws -> SecureClient {
    let client = try SecureClient(port: port, trusting: authority, as: identity)
    guard try client.next()["event"]?.string == "welcome" else { throw TestFailure("no welcome") }
    return client
  }

  /// A client over the Unix socket: an admin. Its banner has been read.
  func admin() throws -> LineClient {
    let client = try LineClient(path: folder.file("socket"))
    _ = try client.next("welcome")
    return client
  }

  /// What `stats` tells of handshakes.
  func handshakes(_ member: String) throws -> Int? {
    try admin().order(#"{"op":"stats"}"#)["handshakes"]?.object?[member]?.integer
  }

  /// Asks until `stats` tells so many of them.
  func waitForHandshakes(_ member: String, _ count: Int) throws {
    for _ in 0..<LineClient.patience * 100 {
      if try handshakes(member) == count { return }
      usleep(10_000)
    }
    throw TestFailure("never \(count) handshakes \(member)")
  }

  /// Carries out a shell script that knows `$ADDRESS`, `$PORT` and `$CA`.
  func type(_ script: String) throws -> Shell.Result {
    try Shell.run(
      "ADDRESS=127.0.0.1:\(port) PORT=\(port) CA=\(authority.certificate)\n\(script)")
  }
}
