import Glibc
import TestSupport
import Testing

@Suite("Stopping")
struct StopTests {
  @Test(
    "a stop says bye to everybody, removes the socket and exits with 0",
    arguments: [SIGTERM, SIGINT])
  func stop(signal: Int32) throws {
    let place = try Installation()
    let daemon = try place.start()
    let clients = try (0..<10).map { try $0 % 2 == 0 ? daemon.device() : daemon.publisher() }
    for client in clients.dropFirst(5) {
      _ = try client.order(#"{"op":"subscribe","all":true}"#)
      _ = try client.next("synced")
    }
    daemon.process.signal(signal)
    #expect(try daemon.process.wait() == .exited(0))
    for client in clients {
      let bye = try client.next("bye")
      #expect(bye["reason"]?.string == "shutting-down")
      #expect((1...6).contains(bye["reconnect-after"]?.number ?? 0))
      #expect(try client.readLine() == nil)
    }
    #expect(Files.mode(of: place.socketPath) == nil)
  }

  @Test("what was accepted before a stop is answered, and is there afterwards")
  func acceptedIsAnswered() throws {
    let place = try Installation()
    let daemon = try place.start()
    let publisher = try daemon.publisher()
    let device = try daemon.device()
    _ = try device.order(#"{"op":"subscribe","all":true}"#)
    for index in 0..<500 {
      try publisher.sendLine(
        #"{"op":"start","id":"\#(index)","attributes-type":"T","content-state":\#(index)}"#)
    }
    // The first answer shows that the daemon is amid it.
    let first = try publisher.next()
    daemon.process.signal(SIGTERM)
    let rest = try publisher.rest()
    #expect(try daemon.process.wait() == .exited(0))
    #expect(rest.last?.event == "bye")
    let answers = [first] + rest.dropLast()
    let accepted = answers.prefix { $0["ok"] != nil }
    #expect(answers.dropFirst(accepted.count).allSatisfy { $0.errorCode == "shutting-down" })
    // Everything acknowledged was also sent to the device before its bye.
    let events = try device.rest()
    #expect(events.last?.event == "bye")
    #expect(events.count { $0.event == "start" } == accepted.count)

    let again = try place.start()
    #expect(try again.publisher().order(#"{"op":"ping"}"#)["seq"]?.integer == accepted.count)
  }

  @Test("a reader that never reads can't hold a stop up; neither does a second signal cut it short")
  func neverReading() throws {
    let place = try Installation()
    let daemon = try place.start()
    let publisher = try daemon.publisher()
    let sleeper = try daemon.publisher()
    try sleeper.sendLine(#"{"op":"subscribe","all":true}"#)
    let content = String(repeating: "x", count: 4_000)
    for index in 0..<200 {
      _ = try publisher.order(
        #"{"op":"start","id":"\#(index)","attributes-type":"T","content-state":"\#(content)"}"#)
    }
    let reader = try daemon.device()
    var before = timespec()
    var after = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &before)
    daemon.process.signal(SIGTERM)
    daemon.process.signal(SIGTERM)
    #expect(try reader.next("bye")["reason"]?.string == "shutting-down")
    daemon.process.signal(SIGINT)
    #expect(try daemon.process.wait() == .exited(0))
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &after)
    // Five seconds, and much more for a busy machine. Less than four: it was cut short.
    #expect((4...60).contains(after.tv_sec - before.tv_sec))
    #expect(Files.mode(of: place.socketPath) == nil)
    withExtendedLifetime(sleeper) {}
  }

  @Test("a socket that somebody has put in the place of ours is left alone")
  func foreignSocket() throws {
    let place = try Installation()
    let daemon = try place.start()
    Files.remove(place.socketPath)
    try Files.write("somebody else's", to: place.socketPath)
    #expect(try daemon.stop() == .exited(0))
    #expect(try Files.read(place.socketPath) == "somebody else's")
  }
}
