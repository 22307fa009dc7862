import TestSupport
import Testing

@Suite("activityctl over TLS") struct SecureServerTests {
  private let authority: TestAuthority
  private let daemon: SecureDaemon

  init() throws {
    authority = try TestAuthority()
    daemon = try SecureDaemon(
      "TLSClientCA=\(authority.certificate)\nTLSRole=till-3 admin", by: authority)
  }

  private func run(_ line: String) throws -> Shell.Result {
    try daemon.type(
      "activityctl() { \(Control.executable) \"$@\"; }\nSERVER=tls:localhost:$PORT\n\(line) 2>&1")
  }

  @Test("a certificate grants what its name may, by flags or by the environment")
  func certificate() throws {
    let till = try authority.issue("/CN=till-3")
    let flags = "--cert \(till.certificate) --key \(till.key)"
    #expect(try run("activityctl clients --server $SERVER --ca $CA \(flags)").status == 0)
    let environment = "ACTIVITYD_CERT=\(till.certificate) ACTIVITYD_KEY=\(till.key)"
    let result = try run(
      "export ACTIVITYD_SERVER=$SERVER ACTIVITYD_CA=$CA \(environment); activityctl clients --json")
    #expect(result.output.contains(#""peer":"certificate:till-3,address:127.0.0.1:"#))
    #expect(try run("activityctl clients --server $SERVER --ca $CA").status == 77)
  }

  @Test("a server that isn't trusted can't be reached, and the reason is said")
  func untrusted() throws {
    let result = try run("activityctl ping --server $SERVER")
    #expect(result.status == 69)
    #expect(result.output.contains("can't be reached: TLS: self-signed certificate"))
  }
}
