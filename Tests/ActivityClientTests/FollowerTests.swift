import ActivityClient
import TestSupport
import Testing

@Suite("A follower") struct FollowerTests {
  private let daemon: LocalDaemon
  private let backend: Client

  init() throws {
    daemon = try LocalDaemon()
    backend = Client(daemon.address, patience: .seconds(LineClient.patience))
  }

  private func start(_ id: String, _ more: JSONObject = [:]) throws {
    let keys: JSONObject = ["id": .string(id), "attributes-type": "T", "content-state": 1]
    try backend.request("start", JSONObject(keys.members + more.members))
  }

  /// One that is in step.
  private func follower() throws -> Follower {
    let follower = Follower(daemon.address, of: .everything)
    try follower.sync()
    return follower
  }

  @Test("shows the state, then what changes")
  func changes() throws {
    try start("a")
    let follower = Follower(daemon.address, of: .everything)
    #expect(try follower.sync() == 1)
    try backend.request("update", ["id": "a", "content-state": 2])
    _ = try follower.change {
      if case .event(let event) = $0 { event.name == "update" } else { false }
    }
    #expect(follower.board["a"]?.contentState == 2)
  }

  @Test("goes on from its cursor after the daemon was killed")
  func resuming() throws {
    try start("a")
    try start("b")
    let follower = try follower()
    daemon.kill()
    try daemon.start()
    try backend.request("update", ["id": "b", "content-state": 2])
    #expect(try follower.sync() == 1, "only what has changed is told again")
    #expect(follower.board["a"]?.contentState == 1)
    #expect(follower.board["b"]?.contentState == 2)
  }

  @Test("goes on from its cursor after it let go of the connection itself")
  func interrupting() throws {
    try start("a")
    try start("b")
    let follower = try follower()
    follower.interrupt(for: .milliseconds(1))
    #expect(!follower.isConnected)
    try backend.request("update", ["id": "b", "content-state": 2])
    #expect(try follower.sync() == 1)
    #expect(follower.board["b"]?.contentState == 2)
  }

  @Test("has nothing left, once it has answered nil, that poll wouldn't tell of")
  func draining() throws {
    for number in 0..<50 { try start("a\(number)") }
    let follower = try follower()
    for number in 0..<50 {
      try backend.request("update", ["id": .string("a\(number)"), "content-state": 2])
    }
    var count = 0
    while count < 50 {
      // It waits for the first only: what came with it isn't waited for.
      var change = try follower.next(within: .seconds(LineClient.patience))
      guard change != nil else { throw TestFailure("only \(count) changes came") }
      while change != nil {
        count += 1
        change = try follower.next(within: .zero)
      }
    }
    #expect(follower.board.activities.allSatisfy { $0.contentState == 2 })
  }

  @Test("comes back when a stopped daemon is started again")
  func stopped() throws {
    let follower = try follower()
    // What it is told while it isn't looking waits in the socket.
    try daemon.stop()
    let change = try follower.change { if case .disconnected = $0 { true } else { false } }
    guard case .disconnected(let reason, let retryIn) = change else { return }
    #expect(reason == "shutting-down")
    #expect(retryIn >= .seconds(1), "the daemon said when to come back")
    try daemon.start()
    try follower.sync()
  }

  @Test("drops what another store doesn't know")
  func anotherStore() throws {
    try start("a")
    let follower = try follower()
    daemon.kill()
    try daemon.start(state: "another")
    _ = try follower.change { $0 == .reset(reason: "epoch") }
    #expect(follower.board.count == 1, "it is shown until the state is complete")
    let change = try follower.change { if case .synced = $0 { true } else { false } }
    #expect(change == .synced(count: 0, gone: ["a"]))
    #expect(follower.board.count == 0)
  }

  @Test("greys out and removes by itself while the daemon is away")
  func deadlines() throws {
    // Long enough that the daemon is away by then, on a busy machine too.
    try start("late", ["stale-after": 5])
    try start("over")
    try backend.request("end", ["id": "over", "dismissal-after": 5])
    let follower = try follower()
    daemon.kill()
    _ = try follower.change { $0 == .passed(.init(id: "late", state: .stale)) }
    #expect(follower.board["late"]?.state == .stale)
    while follower.board["over"] != nil { _ = try follower.next() }
  }

  @Test("takes an activity off this device alone")
  func dismissing() throws {
    try start("a")
    let follower = try follower()
    try follower.dismiss("a")
    _ = try follower.change { if case .done("dismiss", _) = $0 { true } else { false } }
    #expect(follower.board.count == 0)
    #expect(
      try backend.request("get", ["id": "a"]).line.object("activity")?.string("state") == "active")
  }

  @Test("is told how many heard of an action, or why it is refused")
  func acting() throws {
    try start("a")
    let follower = try follower()
    try follower.act("confirm", on: "a")
    let change = try follower.change { if case .done("action", _) = $0 { true } else { false } }
    guard case .done(_, let answer) = change else { return }
    #expect(answer.integer("publishers") == 0)
    try follower.act("confirm", on: "nothing")
    _ = try follower.change { if case .refused("action", _) = $0 { true } else { false } }
  }

  @Test("gives way to the same device's newer connection")
  func superseded() throws {
    let identity = Identity(device: "phone")
    let older = Follower(daemon.address, of: .everything, identity: identity)
    try older.sync()
    let newer = Follower(daemon.address, of: .everything, identity: identity)
    try newer.sync()
    #expect(throws: ClientError.superseded) {
      while try older.next(within: .seconds(LineClient.patience)) != nil {}
    }
  }

  @Test("doesn't go on asking for what it isn't allowed")
  func refused() throws {
    let follower = Follower(
      daemon.address, of: .everything, identity: Identity(token: "made-up"))
    #expect(throws: ClientError.self) {
      while try follower.next(within: .seconds(LineClient.patience)) != nil {}
    }
  }
}
