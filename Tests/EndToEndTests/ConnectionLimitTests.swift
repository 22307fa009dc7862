import Glibc
import TestSupport
import Testing

@Suite("Too many connections")
struct ConnectionLimitTests {
  /// Reads what somebody is told who is turned away.
  private func expectFarewell(_ client: LineClient) throws {
    let lines = try client.rest()
    #expect(lines.map { $0.errorCode ?? $0.event } == ["limit-reached", "bye"])
    #expect(lines.allSatisfy { $0["retry-after"] != nil || $0["reconnect-after"] != nil })
  }

  @Test("one more than an address may have is told so, also if it speaks first; others go on")
  func perAddress() throws {
    let daemon = try Installation().start(limits: ["MaxConnectionsPerAddress=2"])
    let first = try daemon.device()
    let second = try daemon.device()
    for _ in 0..<3 {
      let third = try LineClient(port: daemon.port)
      try third.send(Array(#"{"op":"ping"}"#.utf8))
      try expectFarewell(third)
    }
    #expect(try first.order(#"{"op":"ping"}"#)["ok"] != nil)
    let stats = try daemon.publisher().order(#"{"op":"stats"}"#)
    #expect(stats["limit-reached"]?.raw.contains(#""MaxConnectionsPerAddress":3,"#) ?? false)
    second.close()
    try waitUntilLetIn(daemon)
  }

  @Test("one more than a user may have is told so")
  func perUser() throws {
    let daemon = try Installation().start(limits: ["MaxConnectionsPerUser=1"])
    let client = try daemon.publisher()
    try expectFarewell(try LineClient(path: daemon.socketPath))
    _ = try daemon.device()
    #expect(try client.order(#"{"op":"ping"}"#)["ok"] != nil)
  }

  @Test("a herd waits for its turn, and nobody is refused")
  func herd() throws {
    let daemon = try Installation().start(limits: ["MaxNewConnectionsPerSecond=50"])
    let operatorClient = try daemon.publisher()
    let herd = try (0..<150).map { _ in try LineClient(port: daemon.port) }
    for client in herd { _ = try client.next("welcome") }
    let stats = try operatorClient.order(#"{"op":"stats"}"#)
    #expect(stats["limit-reached"]?.raw.contains(#""MaxNewConnectionsPerSecond":0,"#) == false)
  }

  @Test("without descriptors whoever comes is told so, once in the log, and later it goes on")
  func descriptors() throws {
    let daemon = try Installation().start()
    let stayer = try daemon.publisher()
    let room = daemon.descriptors.count + 3
    _ = try Shell.run("prlimit --pid \(daemon.process.processID) --nofile=\(room):\(room)")
    let clients = try (0..<3).map { _ in try daemon.device() }
    for _ in 0..<3 { try expectFarewell(try LineClient(port: daemon.port)) }
    try expectFarewell(try LineClient(path: daemon.socketPath))
    #expect(try stayer.order(#"{"op":"ping"}"#)["ok"] != nil)
    #expect(
      try stayer.order(
        #"{"op":"start","id":"a","attributes-type":"T","content-state":1}"#)["seq"]?.integer == 1)
    clients[0].close()
    try waitUntilLetIn(daemon)
    _ = try daemon.stop()
    #expect(daemon.process.log.count { $0.contains("event=accept-failed") } == 1)
  }

  /// Connects until a connection is taken: the daemon notices when another has gone.
  private func waitUntilLetIn(_ daemon: RunningDaemon) throws {
    for _ in 0..<LineClient.patience * 10 {
      let client = try LineClient(port: daemon.port)
      if try client.next().event == "welcome" { return }
      usleep(100_000)
    }
    throw TestFailure("nobody is let in any more")
  }
}
