import Glibc
import TestSupport
import Testing

@Suite("TLS handshakes that don't come to an end")
struct HandshakeTests {
  @Test(
    "a plain client is closed, and the log says what it was",
    arguments: ["{\"op\":\"ping\"}\n", "\0"])
  func plain(text: String) throws {
    let daemon = try SecureDaemon()
    let client = try LineClient(port: daemon.port)
    try client.sendLine(text)
    #expect(try client.readLine() == nil)
    let line = try daemon.process.waitForLine(containing: "event=handshake-failed")
    #expect(line.contains("peer=127.0.0.1:"))
    #expect(line.contains("no TLS"))
    #expect(try daemon.handshakes("plain") == 1)
  }

  @Test("what begins like TLS and isn't is closed, however it goes on")
  func garbage() throws {
    let daemon = try SecureDaemon()
    let count = 100
    var random = SeededGenerator(seed: 1)
    for _ in 0..<count {
      let client = try LineClient(port: daemon.port)
      let body = (0..<400).map { _ in UInt8.random(in: 0...255, using: &random) }
      try client.send([22, 3, 1, 1, 144, 1, 0, 1, 140] + body)
      client.endOutput()
      while try !client.receiveBytes().isEmpty {}
    }
    try daemon.waitForHandshakes("failed", count)
    #expect(try daemon.handshakes("under-way") == 0)
    let line = try daemon.process.waitForLine(containing: "event=lines-held-back")
    #expect(line.contains("of=handshake-failed"))
    _ = try daemon.client()
  }

  @Test("one that takes too long is given up, whether it says something or nothing")
  func slow() throws {
    let daemon = try SecureDaemon("[Limits]\nHandshakeWithin=3s")
    let silent = try LineClient(port: daemon.port)
    let dripping = try LineClient(port: daemon.port)
    try dripping.send([22, 3, 1])
    for client in [silent, dripping] { while try !client.receiveBytes().isEmpty {} }
    #expect(try daemon.handshakes("timed-out") == 2)
    let line = try daemon.process.waitForLine(containing: "event=handshake-failed")
    #expect(line.contains("too long"))
    // A connection that is through has all the time of the world.
    let client = try daemon.client()
    sleep(5)
    #expect(try client.ask(#"{"op":"ping"}"#)["ok"] != nil)
  }

  @Test("only so many are under way; whoever comes then waits, and is served")
  func crowd() throws {
    let daemon = try SecureDaemon("[Limits]\nMaxHandshakes=2")
    var idlers = try (0..<2).map { _ in try LineClient(port: daemon.port) }
    try daemon.waitForHandshakes("under-way", 2)
    // It connects, for the kernel, and nobody answers.
    let third = try LineClient(port: daemon.port)
    try third.send([22])
    #expect(try daemon.handshakes("under-way") == 2)
    // The Unix socket is open as ever.
    _ = try daemon.admin().order(#"{"op":"ping"}"#)
    idlers.removeLast()
    try daemon.waitForHandshakes("failed", 1)
    try daemon.waitForHandshakes("under-way", 2)
    idlers.removeLast()
    third.close()
    _ = try daemon.client()
  }

  @Test("a higher limit lets those in who wait")
  func higherLimit() throws {
    let daemon = try SecureDaemon("[Limits]\nMaxHandshakes=1\nHandshakeWithin=10min")
    let idler = try LineClient(port: daemon.port)
    try daemon.waitForHandshakes("under-way", 1)
    _ = try daemon.reload(
      daemon.authority.issue(), "[Limits]\nMaxHandshakes=2\nHandshakeWithin=10min",
      until: "event=config-reloaded")
    _ = try daemon.client()
    idler.close()
  }

  @Test("a flood of them delays nobody for good")
  func flood() throws {
    let daemon = try SecureDaemon("[Limits]\nMaxHandshakes=32")
    let honest = try daemon.client()
    let flood = try daemon.type(
      #"""
      for round in 1 2 3 4; do
        for client in $(seq 50); do
          (echo '{"op":"quit"}' | openssl s_client -quiet -connect "$ADDRESS" 2>/dev/null |
            grep -c welcome) &
        done
        wait
      done
      """#)
    #expect(try honest.ask(#"{"op":"ping"}"#)["ok"] != nil)
    #expect(flood.lines.filter { $0 == "1" }.count == 200)
    try daemon.waitForHandshakes("completed", 201)
    #expect(try daemon.handshakes("under-way") == 0)
  }
}
