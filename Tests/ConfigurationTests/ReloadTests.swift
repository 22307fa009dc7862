import ActivityDaemon
import Glibc
import TestSupport
import Testing

/// A daemon of a test's own that reads `activityd.conf` in its folder.
private final class ConfiguredDaemon {
  private let directory: TemporaryDirectory
  let configuration: String
  let process: DaemonProcess

  /// - Parameter starting: what is done once it has begun to start, with its state directory.
  init(_ content: String, starting: (DaemonProcess, String) -> Void = { _, _ in }) throws {
    directory = try TemporaryDirectory()
    configuration = directory.file("activityd.conf")
    try Files.write(Self.completed(content, in: directory), to: configuration)
    process = try DaemonProcess(["--config", configuration])
    starting(process, directory.file("state"))
    _ = try process.waitUntilReady()
  }

  private static func completed(_ content: String, in directory: TemporaryDirectory) -> String {
    """
    [Daemon]
    ListenUnix=\(directory.file("activityd.sock"))
    StateDirectory=\(directory.file("state"))
    \(content)
    """
  }

  /// Lets it read other settings; answers the log line that contains `event`.
  func reload(_ content: String, until event: String) throws -> String {
    try Files.write(Self.completed(content, in: directory), to: configuration)
    process.signal(SIGHUP)
    return try process.waitForLine(containing: event)
  }

  func connect() throws -> LineClient {
    let client = try LineClient(path: directory.file("activityd.sock"))
    let banner = try #require(try client.readLine())
    #expect(try JSONLine(banner)["event"]?.string == "welcome")
    return client
  }
}

extension LineClient {
  /// Starts an activity with a payload of so many bytes; answers the answer's `error`, nil if `ok`.
  fileprivate func start(_ id: String, payloadBytes count: Int) throws -> String? {
    // Two for the attributes, two for the quotes.
    let text = String(repeating: "x", count: count - 4)
    try sendLine(
      #"{"op":"start","id":"\#(id)","attributes-type":"T","content-state":"\#(text)"}"#)
    let line = try #require(try readLine())
    return try JSONLine(line)["error"]?.string
  }
}

@Suite("Reading the configuration again") struct ReloadTests {
  @Test("asked for while the daemon starts, it is done as soon as it serves")
  func early() throws {
    let daemon = try ConfiguredDaemon("") { process, state in
      while Files.names(in: state).isEmpty { usleep(100) }
      process.signal(SIGHUP)
    }
    _ = try daemon.process.waitForLine(containing: "event=config-reloaded")
  }

  @Test("a limit changes for those who are connected, and nobody is disconnected")
  func limit() throws {
    let daemon = try ConfiguredDaemon("[Limits]\nMaxPayloadBytes=100")
    let client = try daemon.connect()
    #expect(try client.start("a", payloadBytes: 100) == nil)
    #expect(try client.start("b", payloadBytes: 101) == "payload-too-large")

    let line = try daemon.reload(
      "[Limits]\nMaxPayloadBytes=200\nMaxLinks=2", until: "event=config-reloaded")
    #expect(
      line.hasSuffix("files=\(daemon.configuration) changed=MaxLinks,MaxPayloadBytes")
        || line.hasSuffix("files=\(daemon.configuration) changed=MaxPayloadBytes,MaxLinks"))
    #expect(try client.start("b", payloadBytes: 200) == nil)
    #expect(try client.start("c", payloadBytes: 201) == "payload-too-large")
  }

  @Test("a bad file changes nothing, and the log says where it is bad")
  func rejected() throws {
    let daemon = try ConfiguredDaemon("[Limits]\nMaxPayloadBytes=100")
    let client = try daemon.connect()
    let line = try daemon.reload(
      "[Limits]\nMaxPayloadBytes=200\nMaxLink=2", until: "event=config-rejected")
    #expect(line.contains("at=\(daemon.configuration):6 "))
    #expect(line.contains("did you mean MaxLinks?"))
    #expect(try client.start("a", payloadBytes: 101) == "payload-too-large")
    // It can be mended.
    _ = try daemon.reload("[Limits]\nMaxPayloadBytes=200", until: "event=config-reloaded")
    #expect(try client.start("a", payloadBytes: 200) == nil)
  }

  @Test("what needs a restart is named, each time until there is one")
  func restart() throws {
    let daemon = try ConfiguredDaemon("")
    let content =
      "TimeScale=60\nListenTCP=127.0.0.1:0\n[Access]\nLoopbackRole=admin\nPublishers=root"
    for isFirst in [true, false] {
      let line = try daemon.reload(content, until: "event=config-reloaded")
      #expect(line.contains("restart-needed=ListenTCP,TimeScale,LoopbackRole"))
      #expect(line.contains("changed=Publishers") == isFirst)
    }
    _ = try daemon.connect()
    let line = try daemon.reload("", until: "event=config-reloaded")
    #expect(!line.contains("restart-needed"))
  }

  @Test("a daemon without a configuration goes on with the defaults")
  func none() throws {
    let directory = try TemporaryDirectory()
    let process = try DaemonProcess([
      "--listen", "unix:\(directory.file("a.sock"))", "--state-dir", directory.file("state"),
    ])
    _ = try process.waitUntilReady()
    process.signal(SIGHUP)
    let line = try process.waitForLine(containing: "event=config-reloaded")
    #expect(line.hasSuffix("event=config-reloaded"))
  }

  @Test(
    "a group's members are what it makes them, on connections made afterwards",
    .enabled(if: geteuid() == 0, "another user's connection can be made by root only"))
  func groups() throws {
    let directory = try TemporaryDirectory()
    let socket = directory.file("a.sock")
    _ = unsafe chmod(directory.path, 0o755)
    let file = directory.file("activityd.conf")
    let head =
      "[Daemon]\nListenUnix=\(socket)\nStateDirectory=\(directory.file("state"))\n[Access]\n"
    try Files.write(head + "Publishers=@50", to: file)
    let process = try DaemonProcess(["--config", file])
    _ = try process.waitUntilReady()
    #expect(try roleOfStranger(at: socket, groups: "50") == "publisher")
    #expect(try roleOfStranger(at: socket, groups: "51") == "device")

    try Files.write(head + "Publishers=@50\nAdmins=@51", to: file)
    process.signal(SIGHUP)
    _ = try process.waitForLine(containing: "changed=Admins")
    #expect(try roleOfStranger(at: socket, groups: "50") == "publisher")
    #expect(try roleOfStranger(at: socket, groups: "51") == "admin")
  }

  /// The role that the banner tells a user who has nothing but some supplementary groups.
  private func roleOfStranger(at socket: String, groups: String) throws -> String? {
    let stranger = "setpriv --reuid=65534 --regid=65534 --groups=\(groups)"
    let result = try Shell.run(#"echo '{"op":"quit"}' | \#(stranger) nc -N -U \#(socket)"#)
    return try JSONLine(try #require(result.lines.first))["role"]?.string
  }
}
