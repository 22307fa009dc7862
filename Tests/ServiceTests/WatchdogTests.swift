import Glibc
import TestSupport
import Testing

@testable import ServiceManager

@Suite("The watchdog")
struct WatchdogTests {
  typealias Progress = Watchdog.Progress

  @Test(
    "a job that is under way at two feeds in a row is what it isn't fed for",
    arguments: [
      (last: Progress(accepted: 7, finished: 7), now: Progress(accepted: 7, finished: 7), false),
      (last: Progress(accepted: 7, finished: 7), now: Progress(accepted: 8, finished: 7), false),
      (last: Progress(accepted: 8, finished: 7), now: Progress(accepted: 8, finished: 7), true),
      (last: Progress(accepted: 8, finished: 7), now: Progress(accepted: 9, finished: 7), true),
      (last: Progress(accepted: 8, finished: 7), now: Progress(accepted: 9, finished: 8), false),
      (last: Progress(accepted: 8, finished: 7), now: Progress(accepted: 8, finished: 8), false),
    ])
  func stuck(last: Progress, now: Progress, isStuck: Bool) {
    #expect(Watchdog.isStuck(now, since: last) == isStuck)
  }

  @Test("it is fed again and again while nothing happens and while much is written")
  func fed() throws {
    let manager = try ServiceManagerSocket()
    let folder = try TemporaryDirectory()
    let daemon = try DaemonProcess(
      ["--state-dir", folder.file("state"), "--listen", "unix:\(folder.file("socket"))"],
      environment: ["NOTIFY_SOCKET=\(manager.path)", "WATCHDOG_USEC=400000"])
    _ = try manager.messages(upTo: "READY")
    for _ in 0..<5 { _ = try manager.messages(upTo: "WATCHDOG") }
    let publisher = try LineClient(path: folder.file("socket"))
    for index in 0..<200 {
      try publisher.sendLine(
        #"{"op":"start","id":"\#(index)","attributes-type":"T","content-state":\#(index)}"#)
    }
    for _ in 0..<5 { _ = try manager.messages(upTo: "WATCHDOG") }
    daemon.signal(SIGTERM)
    // Who isn't read from any more would wait with its next word.
    _ = try manager.messages(upTo: "STOPPING")
    #expect(try daemon.wait() == .exited(0))
  }

  @Test("nobody who doesn't ask for it is fed")
  func unasked() throws {
    let manager = try ServiceManagerSocket()
    let folder = try TemporaryDirectory()
    let daemon = try DaemonProcess(
      ["--state-dir", folder.file("state"), "--listen", "unix:\(folder.file("socket"))"],
      environment: ["NOTIFY_SOCKET=\(manager.path)", "WATCHDOG_USEC=1000", "WATCHDOG_PID=1"])
    _ = try manager.messages(upTo: "READY")
    // Two hundred times as long as it would be asked for; longer on a busy machine is as well.
    usleep(200_000)
    daemon.signal(SIGTERM)
    #expect(try manager.messages(upTo: "STOPPING").allSatisfy { $0["WATCHDOG"] == nil })
  }
}
