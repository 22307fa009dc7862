import ActivityCore
import ActivityWire
import EventLoop
import TestSupport
import Testing

@testable import ActivityDaemon

@Suite("Who may connect")
struct AdmissionTests {
  private let host = Visitor.host(.ip4(0xc000_0207))

  private func scene(_ change: (inout Limits) -> Void) -> Scene {
    var limits = Limits()
    change(&limits)
    return Scene(limits)
  }

  /// Connects somebody; answers the lines that turned it away, nil if it was let in.
  private func connect(
    _ visitor: Visitor, _ role: Role = .device, to scene: Scene
  ) throws -> [JSONLine]? {
    if let farewell = scene.hub.turnAway(visitor, role) {
      return try String(decoding: farewell, as: UTF8.self).split(separator: "\n").map {
        try JSONLine(String($0))
      }
    }
    let peer = Peer(role: role, scope: "test", description: nil)
    _ = scene.hub.connect(MemorySocket(), peer: peer, visitor: visitor)
    return nil
  }

  @Test("an address has so many connections; one more is told why, and when to come back")
  func perAddress() throws {
    let scene = scene { $0.connectionsPerAddressMax = 2 }
    #expect(try connect(host, to: scene) == nil)
    #expect(try connect(host, to: scene) == nil)
    let lines = try #require(try connect(host, to: scene))
    #expect(lines.count == 2)
    #expect(lines[0]["error"]?.string == "limit-reached")
    let message = try #require(lines[0]["message"]?.string)
    #expect(message == "192.0.2.7 has 2 connections already (MaxConnectionsPerAddress)")
    #expect((5...15).contains(lines[0]["retry-after"]?.number ?? 0))
    #expect(lines[1]["event"]?.string == "bye")
    #expect(lines[1]["reason"]?.string == "limit-reached")
    #expect(lines[1]["reconnect-after"]?.raw == lines[0]["retry-after"]?.raw)
    #expect(scene.hub.statistics.reached == [.connectionsPerAddress: 1])
    // Others, a user of this machine too, have connections of their own.
    #expect(try connect(.host(.ip6(network: 1)), to: scene) == nil)
    #expect(try connect(.user(0xc000_0207), to: scene) == nil)
  }

  @Test("a connection that is closed makes room")
  func closing() throws {
    let scene = scene { $0.connectionsPerUserMax = 1 }
    let peer = Peer(role: .device, scope: "test", description: nil)
    let session = scene.hub.connect(MemorySocket(), peer: peer, visitor: .user(7))
    #expect(try connect(.user(7), to: scene)?.first?["error"]?.string == "limit-reached")
    scene.hub.closed(session)
    scene.hub.closed(session)
    #expect(try connect(.user(7), to: scene) == nil)
    #expect(try connect(.user(7), to: scene) != nil)
  }

  @Test("when all connections are taken, admins of this machine have a few more")
  func reserve() throws {
    let scene = scene { $0.connectionsMax = 3 }
    for number: UInt32 in 0..<3 { #expect(try connect(.user(number), to: scene) == nil) }
    #expect(try connect(.user(4), .publisher, to: scene) != nil)
    #expect(try connect(host, .admin, to: scene) != nil)
    for _ in 0..<16 { #expect(try connect(.user(0), .admin, to: scene) == nil) }
    #expect(try connect(.user(0), .admin, to: scene) != nil)
    #expect(scene.hub.statistics.reached == [.connections: 3])
  }

  @Test("a stop says bye to all in several turns, each with a time of its own to come back")
  func stop() throws {
    let scene = Scene()
    let clients = (0..<3_000).map { _ in scene.connect() }
    scene.hub.beginStopping()
    var turns = 1
    while !scene.hub.sayByeToSome() {
      turns += 1
      scene.turn()
    }
    scene.turn()
    #expect(turns == 3)
    for client in clients { #expect(try client.hear().last?["reason"]?.string == "shutting-down") }
  }
}

@Suite("A device whose connections take each other's place")
struct TakeoverTests {
  private final class Lines {
    var entries: [Log.Entry] = []
  }

  @Test("again and again is told of as a loop, once, until it has been quiet for a while")
  func loop() throws {
    let lines = Lines()
    let scene = Scene(log: Log { lines.entries.append($0) })
    func connect() { scene.connect().say(#"{"op":"hello","device":"d"}"#) }
    for _ in 0..<20 { connect() }
    let events = lines.entries.map(\.event).filter { $0 != "session-closed" }
    #expect(events == ["superseded", "superseded", "takeover-loop"])
    let loop = try #require(lines.entries.first { $0.event == "takeover-loop" })
    #expect(loop.fields.map(\.name) == ["peer", "device", "by"])

    lines.entries = []
    scene.pass(seconds: 61)
    connect()
    #expect(lines.entries.map(\.event).contains("superseded"))
  }
}
