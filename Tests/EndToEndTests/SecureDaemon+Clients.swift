import Glibc
import TestSupport

extension SecureDaemon {
  /// A client over TLS. Its banner has been read.
  func client(as identity: TestAuthority.Identity? = nil) throws -> SecureClient {
    let client = try SecureClient(port: port, trusting: authority, as: identity)
    guard try client.next()["event"]?.string == "welcome" else { throw TestFailure("no welcome") }
    return client
  }

  /// A client over the Unix socket: an admin. Its banner has been read.
  func admin() throws -> LineClient {
    let client = try LineClient(path: folder.file("socket"))
    _ = try client.next("welcome")
    return client
  }

  /// What `stats` tells of handshakes.
  func handshakes(_ member: String) throws -> Int? {
    try admin().order(#"{"op":"stats"}"#)["handshakes"]?.object?[member]?.integer
  }

  /// Asks until `stats` tells so many of them.
  func waitForHandshakes(_ member: String, _ count: Int) throws {
    for _ in 0..<LineClient.patience * 100 {
      if try handshakes(member) == count { return }
      usleep(10_000)
    }
    throw TestFailure("never \(count) handshakes \(member)")
  }
}
