import Glibc
import TestSupport
import Testing

/// The real daemon as the tests start and end it.
@Suite("Daemon process") struct DaemonProcessTests {
  @Test("it says where it listens, serves there, and ends when it is told to")
  func lifeCycle() throws {
    let directory = try TemporaryDirectory()
    let daemon = try DaemonProcess([
      "--listen", "tcp:127.0.0.1:0", "--listen", "unix:\(directory.file("socket"))",
      "--state-dir", directory.file("state"),
    ])
    let addresses = try daemon.waitUntilReady()
    #expect(addresses.count == 2)
    #expect(addresses.last == "unix:\(directory.file("socket"))")

    let port = try #require(addresses.first?.split(separator: ":").last.flatMap { UInt16($0) })
    for client in [try LineClient(port: port), try LineClient(path: directory.file("socket"))] {
      let banner = try JSONLine(try #require(try client.readLine()))
      #expect(banner["event"]?.string == "welcome")
      #expect(banner["seq"]?.integer == 0)
    }

    daemon.signal(SIGTERM)
    #expect(try daemon.wait() == .exited(0))
    #expect(daemon.log.last?.contains("event=stopped") ?? false)
  }

  @Test("an option that it doesn't know is a misuse")
  func misuse() throws {
    let daemon = try DaemonProcess(["--nonsense"])
    #expect(try daemon.wait() == .exited(64))
    #expect(daemon.log.first?.contains("--nonsense") ?? false)
  }

  @Test("what kills it is told")
  func killed() throws {
    let directory = try TemporaryDirectory()
    let daemon = try DaemonProcess([
      "--listen", "tcp:127.0.0.1:0", "--state-dir", directory.file("state"),
    ])
    _ = try daemon.waitUntilReady()
    daemon.signal(SIGKILL)
    #expect(try daemon.wait() == .killed(signal: SIGKILL))
  }
}
