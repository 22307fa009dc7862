import Glibc
import TestSupport
import Testing

@Suite("Roles")
struct RoleTests {
  private static let start = #"{"op":"start","id":"a","attributes-type":"T","content-state":1}"#

  @Test("over the Unix socket, the daemon's own user is admin")
  func ownUser() throws {
    let daemon = try Installation().start()
    let client = try LineClient(path: daemon.socketPath)
    #expect(try client.next("welcome")["role"]?.string == "admin")
    _ = try client.order(Self.start)
  }

  @Test("over TCP, everybody on the machine is a device, and told where to get more")
  func loopback() throws {
    let daemon = try Installation().start()
    let client = try LineClient(port: daemon.port)
    #expect(try client.next("welcome")["role"]?.string == "device")
    let refusal = try client.ask(Self.start)
    #expect(refusal.errorCode == "forbidden")
    let message = try #require(refusal["message"]?.string)
    for word in ["publisher", "device", "Unix socket"] { #expect(message.contains(word)) }
    #expect(try client.ask(#"{"op":"get","id":"a"}"#).errorCode == "unknown-activity")
  }

  @Test("the role over TCP can be raised", arguments: ["device", "publisher", "admin"])
  func loopbackRole(role: String) throws {
    let daemon = try Installation().start("--loopback-role", role)
    let client = try LineClient(port: daemon.port)
    #expect(try client.next("welcome")["role"]?.string == role)
    #expect(try (client.ask(Self.start)["ok"] != nil) == (role != "device"))
  }

  @Test(
    "over the Unix socket, another user is a device",
    .enabled(if: geteuid() == 0, "only root can be another user"))
  func anotherUser() throws {
    let place = try Installation()
    try Files.setMode(0o755, of: place.folder.path)
    let daemon = try place.start()
    let result = try daemon.type(
      """
      printf '%s\\n' '\(Self.start)' |
      setpriv --reuid 65534 --regid 65534 --clear-groups nc -N -U $SOCKET
      """)
    let lines = try result.lines.map { try JSONLine($0) }
    #expect(lines.first?["role"]?.string == "device")
    #expect(lines.dropFirst().first?.errorCode == "forbidden")
    let own = try daemon.publisher()
    #expect(try own.order(#"{"op":"ping"}"#)["seq"]?.integer == 0)
  }
}
