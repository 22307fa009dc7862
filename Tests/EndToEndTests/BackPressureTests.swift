import TestSupport
import Testing

@Suite("Clients that don't read")
struct BackPressureTests {
  /// Far more than one connection may cost, and far less than what is written here.
  private static let growthMax = Sanitizer.isOn ? Int.max : 3 << 20

  @Test("a client may write 100,000 requests before it reads, and costs no memory")
  func pipelining() throws {
    let daemon = try Installation().start()
    let client = try daemon.publisher()
    _ = try client.order(#"{"op":"start","id":"a","attributes-type":"T","content-state":""}"#)
    let before = try daemon.residentBytes
    let count = 100_000
    let requests = Self.requests(count)

    let sent = try client.sendWhatIsTaken(requests)
    #expect(sent < requests.count / 2)
    #expect(try daemon.residentBytes - before < Self.growthMax)
    // Nobody else has to wait for it.
    #expect(try daemon.device().order(#"{"op":"ping"}"#)["ok"] != nil)

    // Each request is answered in its turn.
    var answered = 0
    func take(_ line: String) throws {
      guard line.contains(#""ref":\#(answered),"#) || line.hasSuffix(#""ref":\#(answered)}"#) else {
        throw TestFailure("\(line) in the place of \(answered)")
      }
      answered += 1
    }
    try client.send(requests[sent...], taking: take)
    while answered < count, let line = try client.readLine() { try take(line) }
    #expect(answered == count)
    #expect(try daemon.residentBytes - before < Self.growthMax)
  }

  /// Some write, some read, some are refused.
  private static func requests(_ count: Int) -> [UInt8] {
    var requests: [UInt8] = []
    for ref in 0..<count {
      let request =
        switch ref % 10 {
        case 0: #""update","id":"a","content-state":\#(ref)"#
        case 1: #""get","id":"a""#
        case 2: #""get","id":"b""#
        case 3: #""update","id":"b","content-state":0"#
        default: #""ping""#
        }
      requests += "{\"op\":\(request),\"ref\":\(ref)}\n".utf8
    }
    return requests
  }

  @Test("a publisher that hears actions and reads none of them can't fill the memory with requests")
  func unreadActions() throws {
    let daemon = try Installation().start(limits: ["MaxActionsPerSecond=1000000"])
    let publisher = try daemon.publisher()
    _ = try publisher.order(#"{"op":"start","id":"a","attributes-type":"T","content-state":1}"#)
    try publisher.sendLine(#"{"op":"subscribe","feedback":true}"#)
    _ = try publisher.next()
    _ = try publisher.next("synced")
    let device = try daemon.device()
    let payload = String(repeating: "x", count: 3_000)
    let action =
      #"{"op":"action","id":"a","action-id":"1","name":"tap","payload":"\#(payload)"}"#
    while try device.order(action)["publishers"]?.integer != 0 {}

    let before = try daemon.residentBytes
    let requests = [UInt8](repeating: UInt8(ascii: " "), count: 64 << 20)
    #expect(try publisher.sendWhatIsTaken(requests) < requests.count / 2)
    #expect(try daemon.residentBytes - before < Self.growthMax)
  }

  @Test("a device that stops reading holds nobody up, and then gets the newest state")
  func conflation() throws {
    let daemon = try Installation().start()
    let publisher = try daemon.publisher()
    var (slow, quick) = (Display(), Display())
    let (slowDevice, quickDevice) = (try daemon.publisher(), try daemon.device())
    try slow.subscribe(slowDevice)
    try quick.subscribe(quickDevice)
    let before = try daemon.residentBytes

    let activities = 50
    let rounds = 40
    let padding = String(repeating: "x", count: 3_000)
    for round in 0..<rounds {
      for id in 0..<activities {
        let op = round == 0 ? #""start","attributes-type":"T""# : #""update""#
        _ = try publisher.order(
          #"{"op":\#(op),"id":"\#(id)","content-state":["\#(padding)",\#(round)]}"#)
      }
      while quick.cards["\(activities - 1)"]?.content.hasSuffix(",\(round)]") != true {
        try quick.take(quickDevice.next())
      }
    }
    // What is started and cancelled meanwhile concerns the quick one only.
    _ = try publisher.order(
      #"{"op":"start","id":"ghost","attributes-type":"T","content-state":1}"#)
    _ = try publisher.order(#"{"op":"cancel","id":"ghost"}"#)
    for id in 0..<10 { _ = try publisher.order(#"{"op":"cancel","id":"\#(id)"}"#) }
    for id in 10..<20 { _ = try publisher.order(#"{"op":"end","id":"\#(id)"}"#) }
    while quick.cards["19"]?.state != "ended" { try quick.take(quickDevice.next()) }
    #expect(quick.cards.count == activities - 10)
    #expect(try daemon.residentBytes - before < Self.growthMax)

    var lines = 0
    while slow.cards != quick.cards {
      let line = try slowDevice.next()
      #expect(line["id"]?.string != "ghost")
      try slow.take(line)
      lines += 1
    }
    #expect(lines < activities * rounds / 2)
    // It is in step again.
    _ = try publisher.order(#"{"op":"update","id":"49","content-state":"new"}"#)
    try slow.take(slowDevice.next())
    #expect(slow.cards["49"]?.content == #""new""#)
  }
}
