import Glibc
import TestSupport
import Testing

@Suite("What the service manager is told")
struct NotificationTests {
  let manager: ServiceManagerSocket
  let folder: TemporaryDirectory

  init() throws {
    manager = try ServiceManagerSocket()
    folder = try TemporaryDirectory()
  }

  private func start(_ options: String...) throws -> DaemonProcess {
    try DaemonProcess(
      ["--state-dir", folder.file("state"), "--listen", "unix:\(folder.file("socket"))"] + options,
      environment: ["NOTIFY_SOCKET=\(manager.path)"])
  }

  @Test("it is ready once clients are served, and asks for time before")
  func ready() throws {
    let daemon = try start()
    let messages = try manager.messages(upTo: "READY")
    let opening = try #require(messages.first)
    #expect(opening["STATUS"] == "Opening the store")
    #expect(Int(opening["EXTEND_TIMEOUT_USEC"] ?? "") == 600_000_000)
    #expect(messages.last?["READY"] == "1")
    #expect(messages.last?["STATUS"] == "Listening on unix:\(folder.file("socket"))")
    let client = try LineClient(path: folder.file("socket"))
    #expect(try client.readLine()?.contains(#""event":"welcome""#) == true)
    daemon.signal(SIGTERM)
    #expect(try daemon.wait() == .exited(0))
  }

  @Test("it is never ready if it can't serve")
  func neverReady() throws {
    let first = try start()
    _ = try manager.messages(upTo: "READY")
    // The state directory is taken.
    let second = try start()
    #expect(try second.wait() == .exited(75))
    first.signal(SIGTERM)
    #expect(try manager.messages(upTo: "STOPPING").allSatisfy { $0["READY"] == nil })
  }

  @Test(
    "a reload begins and ends, whether the configuration is good or bad", arguments: [true, false])
  func reload(isGood: Bool) throws {
    let file = folder.file("activityd.conf")
    try Files.write("", to: file)
    let daemon = try start("--config", file)
    _ = try manager.messages(upTo: "READY")
    try Files.write(isGood ? "[Limits]\nMaxLineBytes=100K\n" : "nonsense\n", to: file)
    var before = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &before)
    daemon.signal(SIGHUP)
    let messages = try manager.messages(upTo: "READY")
    let reloading = try #require(messages.first)
    #expect(reloading["RELOADING"] == "1")
    let begun = try #require(Int(reloading["MONOTONIC_USEC"] ?? ""))
    #expect(begun >= before.tv_sec * 1_000_000 + before.tv_nsec / 1_000)
    #expect(messages.count == 2)
    _ = try daemon.waitForLine(
      containing: isGood ? "event=config-reloaded" : "event=config-rejected")
  }

  @Test("a stop is told, with the time that it may take")
  func stopping() throws {
    let daemon = try start()
    _ = try manager.messages(upTo: "READY")
    daemon.signal(SIGTERM)
    let stopping = try #require(try manager.messages(upTo: "STOPPING").last)
    #expect(stopping["STOPPING"] == "1")
    #expect(Int(stopping["EXTEND_TIMEOUT_USEC"] ?? "") == 35_000_000)
    #expect(try daemon.wait() == .exited(0))
  }
}
