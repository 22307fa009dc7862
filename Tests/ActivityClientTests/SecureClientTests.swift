import ActivityClient
import TestSupport
import Testing

@Suite("A client over TLS") struct SecureClientTests {
  private let daemon: SecureDaemon

  init() throws { daemon = try SecureDaemon() }

  private var address: ServerAddress { .tls(host: "localhost", port: daemon.port) }

  private func client(_ tls: TLSFiles? = nil) -> Client {
    var identity = Identity()
    identity.tls = tls ?? TLSFiles(authorities: daemon.authority.certificate)
    return Client(address, identity: identity)
  }

  @Test("is answered, at length too")
  func answer() throws {
    let client = client()
    let content = String(repeating: "x", count: 4_000)
    for number in 0..<50 {
      try client.request(
        "start",
        [
          "id": .string("\(number)"), "attributes-type": "T", "content-state": .string(content),
        ])
    }
    let items = try client.request("list").items
    #expect(items.count == 50)
    #expect(items.allSatisfy { $0["content-state"] == .string(content) })
  }

  @Test("follows what changes")
  func follow() throws {
    var identity = Identity()
    identity.tls = TLSFiles(authorities: daemon.authority.certificate)
    let follower = Follower(address, of: .everything, identity: identity)
    let backend = client()
    try backend.request(
      "start", ["id": "a", "attributes-type": "T", "content-state": 1])
    while follower.board.activities.isEmpty { _ = try follower.next(within: .seconds(60)) }
    #expect(follower.board.activities.map(\.id) == ["a"])
  }

  @Test("doesn't speak with a server that can't prove who it is")
  func untrusted() throws {
    let other = try TestAuthority("Another")
    for (tls, reason) in [
      (TLSFiles(authorities: other.certificate), "TLS: unable to get local issuer certificate"),
      (TLSFiles(), "TLS: unable to get local issuer certificate"),
      (TLSFiles(authorities: "/nonexistent"), "/nonexistent: No such file"),
    ] {
      let client = client(tls)
      let error = #expect(throws: ClientError.self) { try client.request("ping") }
      #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }
  }

  @Test("shows its certificate, and has the role of that")
  func certificate() throws {
    let authority = try TestAuthority()
    let daemon = try SecureDaemon(
      "TLSClientCA=\(authority.certificate)\nTLSRole=till-3 admin", by: authority)
    let till = try authority.issue("/CN=till-3")
    var identity = Identity()
    identity.tls = TLSFiles(
      authorities: authority.certificate, certificate: till.certificate, key: till.key)
    let connection = try Connection(
      to: .tls(host: "localhost", port: daemon.port), tls: identity.tls)
    #expect(connection.welcome.role == "admin")
  }
}
