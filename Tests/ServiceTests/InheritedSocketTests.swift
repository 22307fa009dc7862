import Glibc
import TestSupport
import Testing

@Suite("Sockets from the service manager")
struct InheritedSocketTests {
  let folder: TemporaryDirectory
  let tcp: PassedSocket
  let unix: PassedSocket

  init() throws {
    folder = try TemporaryDirectory()
    tcp = try PassedSocket.tcp()
    unix = try PassedSocket.unix(folder.file("passed"))
  }

  private func start(_ options: String...) throws -> DaemonProcess {
    try DaemonProcess(
      ["--state-dir", folder.file("state")] + options,
      sockets: [(tcp.descriptor, "activityd"), (unix.descriptor, "activityd")])
  }

  @Test("it listens where it is told to, and says what it doesn't open")
  func instead() throws {
    let configured = folder.file("configured")
    let daemon = try start("--listen", "unix:\(configured)")
    let line = try daemon.waitForLine(containing: "event=sockets-inherited")
    #expect(line.contains("names=activityd,activityd"))
    #expect(line.contains("not-opened=unix:\(configured)"))
    let addresses = try daemon.waitUntilReady()
    #expect(addresses == ["tcp:127.0.0.1:\(tcp.port)", "unix:\(unix.path)"])
    #expect(!Files.names(in: folder.path).contains("configured"))

    let device = try LineClient(port: tcp.port)
    #expect(try device.readLine()?.contains(#""role":"device""#) == true)
    let admin = try LineClient(path: unix.path)
    #expect(try admin.readLine()?.contains(#""role":"admin""#) == true)
  }

  @Test("on one of the name tls TLS is spoken, which needs a certificate")
  func secure() throws {
    let authority = try TestAuthority()
    let identity = try authority.issue()
    let configuration = folder.file("activityd.conf")
    func start() throws -> DaemonProcess {
      try DaemonProcess(
        ["--state-dir", folder.file("state"), "--config", configuration],
        sockets: [(unix.descriptor, "activityd"), (tcp.descriptor, "tls")])
    }
    try Files.write("", to: configuration)
    let daemon = try start()
    #expect(try daemon.wait() == .exited(78))
    #expect(daemon.log.last?.contains("TLSCertificate") == true)

    try Files.write(
      "[Daemon]\nTLSCertificate=\(identity.certificate)\nTLSKey=\(identity.key)",
      to: configuration)
    let second = try start()
    #expect(try second.waitUntilReady() == ["unix:\(unix.path)", "tls:127.0.0.1:\(tcp.port)"])
    let result = try Shell.run(
      #"""
      echo '{"op":"ping"}' | ncat --ssl-verify --ssl-trustfile \#(authority.certificate) \
        localhost \#(tcp.port)
      """#)
    #expect(result.lines.count == 3)
  }

  @Test("who connects between two daemons waits for the second, and is refused by none")
  func restart() throws {
    let first = try start()
    _ = try first.waitUntilReady()
    first.signal(SIGTERM)
    #expect(try first.wait() == .exited(0))

    let early = try [LineClient(path: unix.path), LineClient(port: tcp.port)]
    for client in early { try client.sendLine(#"{"op":"ping","ref":1}"#) }
    let second = try start()
    _ = try second.waitUntilReady()
    for client in early {
      #expect(try client.readLine()?.contains(#""event":"welcome""#) == true)
      #expect(try client.readLine()?.contains(#""ok":"ping""#) == true)
    }
  }

  @Test("what isn't listening is refused by name")
  func notListening() throws {
    let (near, far) = try ChildProcess.pair()
    defer { for end in [near, far] { close(end) } }
    let daemon = try DaemonProcess(
      ["--state-dir", folder.file("state")], sockets: [(far, "odd.socket")])
    #expect(try daemon.wait() == .exited(69))
    #expect(daemon.log.last?.contains("odd.socket") == true)
  }

  @Test("sockets that were meant for another process aren't touched")
  func another() throws {
    let own = folder.file("own")
    let daemon = try DaemonProcess(
      ["--state-dir", folder.file("state"), "--listen", "unix:\(own)"],
      environment: ["LISTEN_FDS=2", "LISTEN_PID=1"])
    #expect(try daemon.waitUntilReady() == ["unix:\(own)"])
  }
}
