import TestSupport
import Testing

/// Ways in which clients leave. Whoever sends a line and goes is obeyed, and harms nobody.
@Suite("Clients that leave")
struct DisconnectionTests {
  enum Departure: CaseIterable {
    case close, reset, halfCloseAndClose
  }

  @Test(
    "a client that sends and goes without reading is obeyed",
    arguments: Departure.allCases, [true, false])
  func obeyed(departure: Departure, overTCP: Bool) throws {
    let daemon = try Installation().start("--loopback-role", "publisher")
    let client =
      overTCP ? try LineClient(port: daemon.port) : try LineClient(path: daemon.socketPath)
    let count = 50
    let starts = (0..<count).map {
      #"{"op":"start","id":"\#($0)","attributes-type":"T","content-state":\#($0)}"# + "\n"
    }
    // A reset may overtake what the daemon hasn't been able to accept yet, and what the kernel
    // holds back for a fuller packet.
    if departure == .reset { _ = try client.next("welcome") }
    try client.send(Array(starts.joined().utf8))
    switch departure {
    case .close: client.close()
    case .reset: client.reset()
    case .halfCloseAndClose:
      client.endOutput()
      client.close()
    }
    try daemon.waitForSeq(count)
  }

  @Test("what a client that is gone wanted to read doesn't hold up what it wrote", arguments: 1...5)
  func reversedInterest(round: Int) throws {
    let daemon = try Installation().start()
    let client = try daemon.publisher()
    let reads = [#"{"op":"subscribe","all":true}"#, #"{"op":"list"}"#, #"{"op":"clients"}"#]
    for index in 0..<100 {
      let start = #"{"op":"start","id":"\#(index)","attributes-type":"T","content-state":0}"#
      try client.sendLine(start + "\n" + reads[index % 3])
    }
    client.close()
    try daemon.waitForSeq(100)
  }

  @Test("a client that sends more than is answered at once, and goes, is obeyed to its last line")
  func obeyedToTheLastLine() throws {
    let daemon = try Installation().start()
    let client = try daemon.publisher()
    let starts = (0..<5_000).map {
      #"{"op":"start","id":"\#($0)","attributes-type":"T","content-state":\#($0)}"# + "\n"
    }
    let bytes = Array(starts.joined().utf8)
    // While answers wait to be read the daemon stops reading, so that not all may be taken.
    let taken = try client.sendWhatIsTaken(bytes)
    client.close()
    try daemon.waitForSeq(bytes[..<taken].count { $0 == UInt8(ascii: "\n") })
  }

  @Test("the last line needs no newline where the input ends")
  func unfinishedLine() throws {
    let daemon = try Installation().start()
    let client = try daemon.device()
    try client.send(Array(#"{"op":"ping","ref":1}"#.utf8))
    client.endOutput()
    #expect(try client.next()["ref"]?.integer == 1)
    #expect(try client.next("bye")["reason"]?.string == "half-closed")
    #expect(try client.readLine() == nil)
  }

  @Test("a half-closed subscriber is served on")
  func halfClosedSubscriber() throws {
    let daemon = try Installation().start()
    let device = try daemon.device()
    try device.sendLine(#"{"op":"subscribe","ids":["a"]}"#)
    device.endOutput()
    _ = try device.next()
    _ = try device.next("synced")
    let publisher = try daemon.publisher()
    _ = try publisher.order(#"{"op":"start","id":"a","attributes-type":"T","content-state":1}"#)
    #expect(try device.next("start")["content-state"]?.integer == 1)
    _ = try publisher.order(#"{"op":"cancel","id":"a"}"#)
    _ = try device.next("dismiss")
  }

  @Test("subscribers that vanish in the midst of events harm nobody")
  func vanishingSubscribers() throws {
    let daemon = try Installation().start()
    let publisher = try daemon.publisher()
    let stayer = try daemon.device()
    _ = try stayer.order(#"{"op":"subscribe","all":true}"#)
    _ = try stayer.next("synced")
    _ = try publisher.order(#"{"op":"start","id":"a","attributes-type":"T","content-state":0}"#)
    for round in 1...50 {
      let leaver = try round % 2 == 0 ? daemon.device() : daemon.publisher()
      _ = try leaver.order(#"{"op":"subscribe","all":true}"#)
      try publisher.sendLine(#"{"op":"update","id":"a","content-state":\#(round)}"#)
      if round % 3 == 0 { leaver.reset() } else { leaver.close() }
      #expect(try publisher.next()["outcome"]?.string == "applied")
    }
    var last = try stayer.next()
    while last["content-state"]?.integer != 50 { last = try stayer.next() }
    #expect(last.version == 51)
  }

  @Test("a thousand connections come and go, and leave no descriptor behind")
  func descriptors() throws {
    let daemon = try Installation().start()
    let publisher = try daemon.publisher()
    _ = try publisher.order(#"{"op":"start","id":"a","attributes-type":"T","content-state":0}"#)
    let before = daemon.descriptors
    for round in 0..<1_000 {
      let client =
        try round % 2 == 0 ? LineClient(port: daemon.port) : LineClient(path: daemon.socketPath)
      switch round % 5 {
      case 0: client.close()
      case 1: client.reset()
      case 2:
        _ = try client.next("welcome")
        try client.sendLine(#"{"op":"subscribe","all":true}"#)
        client.close()
      case 3:
        try client.sendLine(#"{"op":"quit"}"#)
        #expect(try client.rest().last?.event == "bye")
      default:
        client.endOutput()
        #expect(try client.rest().last?.event == "bye")
      }
    }
    // A subscriber that has closed can't be told from one that only sends no more, until an event
    // doesn't reach it.
    var after = daemon.descriptors
    for update in 1...10_000 where after.count > before.count {
      _ = try publisher.order(#"{"op":"update","id":"a","content-state":\#(update)}"#)
      after = daemon.descriptors
    }
    #expect(after == before)
  }

  @Test(
    "a web page can't drive the daemon",
    arguments: [
      "POST / HTTP/1.1\r", "GET /?a=b HTTP/1.0\r", "PUT / HTTP/1.1",
    ])
  func http(line: String) throws {
    let daemon = try Installation().start("--loopback-role", "publisher")
    let page = try LineClient(port: daemon.port)
    try page.send(
      Array(
        """
        \(line)
        Content-Type: text/plain\r
        \r
        {"op":"start","id":"a","attributes-type":"T","content-state":1}

        """.utf8))
    let lines = try page.rest()
    #expect(lines.count <= 1)
    #expect(lines.allSatisfy { $0.event == "welcome" })
    let other = try daemon.device()
    #expect(try other.ask(#"{"op":"get","id":"a"}"#).errorCode == "unknown-activity")
    #expect(try other.order(#"{"op":"ping"}"#)["seq"]?.integer == 0)
  }

  @Test("a device that goes is told of in the log with its address")
  func addressInLog() throws {
    let place = try Installation()
    let daemon = try place.start()
    do {
      let device = try daemon.device()
      _ = try device.order(#"{"op":"hello","device":"anas-phone"}"#)
    }
    let line = try daemon.process.waitForLine(containing: "event=session-closed ")
    #expect(line.contains(" peer=127.0.0.1:"))
    #expect(line.contains(" device=anas-phone "))
  }
}
