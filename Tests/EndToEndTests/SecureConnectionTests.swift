import Glibc
import TestSupport
import Testing

@Suite("Over TLS")
struct SecureConnectionTests {
  @Test("openssl s_client is a client", arguments: ["-tls1_2", "-tls1_3"])
  func openssl(version: String) throws {
    let daemon = try SecureDaemon()
    let result = try daemon.type(
      #"""
      printf '{"op":"start","id":"a","attributes-type":"T","content-state":1}\n{"op":"quit"}\n' |
        openssl s_client -quiet \#(version) -verify_return_error -verify_hostname localhost \
        -CAfile "$CA" -connect "$ADDRESS" 2>/dev/null
      """#)
    #expect(result.status == 0)
    let events = try result.lines.map { try JSONLine($0) }
    #expect(
      events.map { ($0["event"] ?? $0["ok"])?.string } == ["welcome", "start", "quit", "bye"])
  }

  @Test("ncat --ssl is a client, and its end of input is a half-close")
  func ncat() throws {
    let daemon = try SecureDaemon()
    let result = try daemon.type(
      #"""
      echo '{"op":"start","id":"a","attributes-type":"T","content-state":1}' |
        ncat --ssl-verify --ssl-trustfile "$CA" localhost "$PORT"
      """#)
    #expect(result.status == 0)
    let events = try result.lines.map { try JSONLine($0) }
    #expect(events.map { ($0["event"] ?? $0["ok"])?.string } == ["welcome", "start", "bye"])
  }

  @Test("TLS 1.1 is refused")
  func tooOld() throws {
    let daemon = try SecureDaemon()
    let result = try daemon.type(
      #"openssl s_client -tls1_1 -cipher ALL:@SECLEVEL=0 -connect "$ADDRESS" </dev/null 2>&1"#)
    #expect(result.status != 0)
    #expect(result.output.contains("alert protocol version"))
    let line = try daemon.process.waitForLine(containing: "event=handshake-failed")
    #expect(line.contains(#"reason="unsupported protocol""#))
  }

  @Test("a last line without a newline counts if TLS says that it ends there, and else not")
  func truncation() throws {
    let daemon = try SecureDaemon()
    let ping = Array(#"{"op":"ping"}"#.utf8)
    let proper = try daemon.client()
    try proper.send(ping)
    try proper.end()
    #expect(try proper.next()["ok"]?.string == "ping")
    #expect(try proper.next()["reason"]?.string == "half-closed")
    #expect(try proper.readLine() == nil)
    #expect(proper.wasTold)

    let cut = try daemon.client()
    try cut.send(ping + [UInt8(ascii: "\n")] + ping)
    cut.socket.endOutput()
    #expect(try cut.next()["ok"]?.string == "ping")
    #expect(try cut.next()["error"]?.string == "bad-json")
    #expect(try cut.next()["reason"]?.string == "half-closed")
    #expect(try cut.readLine() == nil)
    #expect(cut.wasTold)
  }

  @Test("long lines over many records and lines in records of one byte are lines")
  func records() throws {
    let daemon = try SecureDaemon()
    let client = try daemon.client()
    let padding = String(repeating: " ", count: 65_536 - 13)
    for _ in 0..<20 { try client.sendLine(#"{"op":"ping"\#(padding)}"#) }
    for _ in 0..<20 { #expect(try client.next()["ok"]?.string == "ping") }
    try client.sendLine(#"{"op":"ping" \#(padding)}"#)
    #expect(try client.next()["error"]?.string == "line-too-long")

    let bytes = Array(String(repeating: #"{"op":"ping"}"# + "\n", count: 200).utf8)
    try client.socket.send(bytes.flatMap { client.encrypted([$0]) })
    for _ in 0..<200 { #expect(try client.next()["ok"]?.string == "ping") }
    // And a record byte by byte.
    for byte in client.encrypted(Array("{\"op\":\"ping\"}\n".utf8)) {
      try client.socket.send([byte])
    }
    #expect(try client.next()["ok"]?.string == "ping")
  }

  @Test("a changed byte ends the connection; what came before is carried out")
  func tampering() throws {
    let daemon = try SecureDaemon()
    let client = try daemon.client()
    let start = #"{"op":"start","id":"a","attributes-type":"T","content-state":1}"# + "\n"
    let good = client.encrypted(Array(start.utf8))
    var bad = client.encrypted(Array(#"{"op":"cancel","id":"a"}"#.utf8) + [UInt8(ascii: "\n")])
    bad[bad.count - 1] ^= 1
    try client.socket.send(good + bad)
    let line = try daemon.process.waitForLine(containing: "event=tls-failed")
    #expect(line.contains("peer=127.0.0.1:"))
    let admin = try daemon.admin()
    while try admin.ask(#"{"op":"get","id":"a"}"#)["ok"] == nil {}
    #expect(throws: (any Error).self) { while try client.readLine() != nil {} }
  }

  @Test("a device that stops reading holds nobody up, and then gets the newest state")
  func backPressure() throws {
    let daemon = try SecureDaemon()
    let publisher = try daemon.client()
    let (slow, quick) = (try daemon.client(), try daemon.client())
    for device in [slow, quick] {
      _ = try device.ask(#"{"op":"subscribe","all":true}"#)
      #expect(try device.next()["event"]?.string == "synced")
    }
    let padding = String(repeating: "x", count: 3_000)
    let rounds = 3_000
    for round in 0...rounds {
      let op = round == 0 ? #""start","attributes-type":"T""# : #""update""#
      let answer = try publisher.ask(
        #"{"op":\#(op),"id":"a","content-state":["\#(padding)",\#(round)]}"#)
      #expect(answer["ok"] != nil)
      #expect(try quick.next()["version"]?.integer == round + 1)
    }
    let clients = try daemon.admin().order(#"{"op":"stats"}"#)
    #expect(clients["dirty"]?.integer == 1)
    var lines = 0
    var version = 0
    while version < rounds + 1 {
      let line = try slow.next()
      let next = try #require(line["version"]?.integer)
      #expect(next > version)
      version = next
      lines += 1
    }
    #expect(lines < rounds)
    // It is in step again.
    _ = try publisher.ask(#"{"op":"update","id":"a","content-state":"new"}"#)
    #expect(try slow.next()["content-state"]?.raw == #""new""#)
  }

  @Test("a stop says goodbye, and that nothing was cut off")
  func goodbye() throws {
    let daemon = try SecureDaemon()
    let client = try daemon.client()
    daemon.process.signal(SIGTERM)
    #expect(try client.next()["reason"]?.string == "shutting-down")
    #expect(try client.readLine() == nil)
    #expect(client.wasTold)
    client.socket.close()
    #expect(try daemon.process.wait() == .exited(0))
  }
}
