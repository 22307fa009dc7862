import ActivityClient
import TestSupport
import Testing

@Suite("A client") struct ClientTests {
  private let daemon: LocalDaemon

  init() throws { daemon = try LocalDaemon() }

  @Test("is answered")
  func answer() throws {
    let client = Client(daemon.address)
    for id in ["a", "b"] {
      let answer = try client.request(
        "start", ["id": .string(id), "attributes-type": "T", "content-state": ["n": 1]])
      #expect(answer.line.string("outcome") == "applied")
    }
    let list = try client.request("list")
    #expect(list.items.map { $0.string("id") } == ["a", "b"])
    #expect(list.line.integer("count") == 2)
  }

  @Test("is told why it is refused")
  func refusal() throws {
    let client = Client(daemon.address, patience: .seconds(60))
    do throws(ClientError) {
      try client.request("get", ["id": "a"])
      Issue.record("there is no such activity")
    } catch {
      guard case .refused(let refusal) = error else { throw error }
      #expect(refusal.code == "unknown-activity")
      #expect(!refusal.isRetryable)
    }
  }

  @Test("keeps events for later while it waits for an answer")
  func events() throws {
    let connection = try Connection(to: daemon.address)
    _ = try connection.request("subscribe", ["all": true])
    _ = try connection.request("ping")
    guard case .event(let event) = try connection.receive(within: .seconds(60)) else {
      throw TestFailure("no event")
    }
    #expect(event.name == "synced")
  }

  @Test("says that nobody is there")
  func unreachable() throws {
    let address = ServerAddress.unix(path: daemon.directory.file("nothing"))
    #expect(
      throws: ClientError.unreachable(address, reason: "No such file or directory")
    ) { () throws(ClientError) in try Client(address).request("ping") }
  }

  @Test("repeats what got no answer until the daemon is back")
  func restart() throws {
    let client = Client(daemon.address, patience: .seconds(LineClient.patience))
    try client.request("ping")
    daemon.kill()
    try daemon.start(waiting: false)
    let answer = try client.request(
      "start", ["id": "a", "attributes-type": "T", "content-state": 1])
    #expect(answer.line.string("outcome") == "applied")
  }

  @Test("reads while it writes, so that neither waits for the other for ever")
  func pipelining() throws {
    let connection = try Connection(to: daemon.address)
    let line = #"{"op":"ping","ref":"\#(String(repeating: "x", count: 120))"}"#
    let lines = Array(repeating: line, count: 20_000)
    try connection.send(line: lines.joined(separator: "\n"))
    for _ in lines {
      guard case .answer = try connection.receive(within: .seconds(60)) else {
        throw TestFailure("an answer is missing")
      }
    }
  }
}
