import Glibc
import TestSupport
import Testing

@Suite(
  "A full disk",
  .enabled(if: SmallDisk.isPossible, "this machine lets nobody mount a file system of his own"))
struct FullDiskTests {
  private let place: Installation
  private let disk: SmallDisk

  init() throws {
    place = try Installation(mebibytes: 12)
    disk = try #require(place.disk)
  }

  private static func start(_ number: Int) -> String {
    let text = String(repeating: "x", count: 4_000)
    return #"""
      {"op":"start","id":"\#(number)","attributes-type":"T","content-state":"\#(text)",\#
      "idempotency-key":"\#(number)"}
      """#
  }

  /// Starts activities until one is refused; answers how many were started.
  private func fillUp(_ publisher: LineClient) throws -> Int {
    try disk.fill()
    for number in 0..<10_000 {
      let answer = try publisher.ask(Self.start(number))
      if answer["ok"] != nil { continue }
      #expect(answer.errorCode == "storage-unavailable")
      return number
    }
    throw TestFailure("the disk is never full")
  }

  private func count(_ daemon: RunningDaemon) throws -> Int {
    let reader = try daemon.device()
    _ = try reader.order(#"{"op":"subscribe","all":true,"follow":false}"#)
    return try reader.rest().count { $0.event == "start" }
  }

  @Test("is told to who writes, and hides nothing; with room again everything goes on")
  func runningFull() throws {
    let daemon = try place.start()
    let publisher = try daemon.publisher()
    let stored = try fillUp(publisher)
    #expect(stored > 0)
    #expect(try count(daemon) == stored)
    disk.free()
    _ = try publisher.orderUntilStored(Self.start(stored))
    #expect(try count(daemon) == stored + 1)
    daemon.process.kill()
    #expect(try count(place.start()) == stored + 1)
  }

  @Test("stops nobody from starting, and reading, what was stored", arguments: [true, false])
  func startingFull(isKilled: Bool) throws {
    let daemon = try place.start()
    let stored = try fillUp(daemon.publisher())
    if isKilled { daemon.process.kill() } else { #expect(try daemon.stop() == .exited(0)) }
    // What the end of the process gave back.
    try disk.fill()
    let again = try place.start()
    #expect(try count(again) == stored)
    let publisher = try again.publisher()
    let refusal = try publisher.ask(Self.start(stored))
    #expect(refusal.errorCode == "storage-unavailable")
    disk.free()
    _ = try publisher.orderUntilStored(Self.start(stored))
    #expect(try count(again) == stored + 1)
  }

  @Test("that others filled while the daemon was stopped hides nothing either")
  func filledMeanwhile() throws {
    let daemon = try place.start()
    _ = try daemon.publisher().order(Self.start(0))
    #expect(try daemon.stop() == .exited(0))
    try disk.fill()
    let again = try place.start()
    #expect(try count(again) == 1)
    let publisher = try again.publisher()
    #expect(try publisher.ask(Self.start(1)).errorCode == "storage-unavailable")
    disk.free()
    _ = try publisher.orderUntilStored(Self.start(1))
    #expect(try count(again) == 2)
  }

  @Test("a folder that nobody can write to is told, with exit code 74")
  func readOnlyFolder() throws {
    #expect(try place.start().stop() == .exited(0))
    try disk.setReadOnly(true)
    let result = try place.failToStart()
    #expect(result.end == .exited(74))
    #expect(result.log.contains("\(place.statePath)/activityd.lock: Read-only file system"))
    try disk.setReadOnly(false)
    #expect(try place.start().stop() == .exited(0))
  }
}
