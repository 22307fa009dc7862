import ActivityClient
import Testing

@Suite("Server addresses") struct ServerAddressTests {
  @Test(
    "are read as they are written",
    arguments: [
      "unix:/run/a b.sock", "tcp:127.0.0.1:7420", "tcp:[::1]:80", "tcp:host.example:1",
      "tls:host.example:1", "tls:[::1]:443",
    ])
  func roundTrip(_ text: String) { #expect(ServerAddress(text)?.description == text) }

  @Test("have a port where none is named")
  func defaultPort() {
    #expect(ServerAddress("tcp:::1") == .tcp(host: "::1", port: 7420))
    #expect(ServerAddress("tcp:[::1]") == .tcp(host: "::1", port: 7420))
    #expect(ServerAddress("tcp:localhost") == .tcp(host: "localhost", port: 7420))
    #expect(ServerAddress("tls:localhost") == .tls(host: "localhost", port: 7443))
  }

  @Test(
    "are nothing else",
    arguments: [
      "", "unix:", "tcp:", "tcp::7420", "tcp:a:b", "tcp:a:70000", "tcp:[::1]x", "tls:", "a:1",
    ])
  func malformed(_ text: String) { #expect(ServerAddress(text) == nil) }
}
