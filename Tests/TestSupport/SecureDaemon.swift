internal import Glibc

/// A daemon that speaks TLS on a port of its own, and listens on a Unix socket.
package final class SecureDaemon {
  package let authority: TestAuthority
  package let folder: TemporaryDirectory
  package let process: DaemonProcess
  package let port: UInt16

  /// - Parameter settings: what follows in the section `[Access]`.
  package init(_ settings: String = "", by authority: TestAuthority? = nil) throws {
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
  package func reload(
    _ identity: TestAuthority.Identity, _ settings: String = "", until event: String
  ) throws -> String {
    try Self.write(settings, identity, in: folder)
    process.signal(SIGHUP)
    return try process.waitForLine(containing: event)
  }

  /// Carries out a shell script that knows `$ADDRESS`, `$PORT` and `$CA`.
  package func type(_ script: String) throws -> Shell.Result {
    try Shell.run(
      "ADDRESS=127.0.0.1:\(port) PORT=\(port) CA=\(authority.certificate)\n\(script)")
  }
}
