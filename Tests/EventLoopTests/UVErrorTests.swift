import EventLoop
import Glibc
import Testing

@Suite struct UVErrorTests {
  @Test("an error says what was asked and what went wrong")
  func description() {
    let error = UVError(errno: EADDRINUSE, operation: "bind to 127.0.0.1:1")
    #expect(error.name == "EADDRINUSE")
    #expect(error.message == "address already in use")
    #expect("\(error)" == "bind to 127.0.0.1:1: address already in use (EADDRINUSE)")
    #expect(error.errno == EADDRINUSE)
    #expect(error.code == -EADDRINUSE)
  }

  @Test("addresses are shown as they are typed")
  func addresses() {
    #expect("\(ListenAddress.tcp(host: "127.0.0.1", port: 80))" == "tcp:127.0.0.1:80")
    #expect("\(ListenAddress.tcp(host: "::1", port: 80))" == "tcp:[::1]:80")
    #expect("\(ListenAddress.unix(path: "/run/a.sock"))" == "unix:/run/a.sock")
    #expect("\(ListenAddress.inherited(descriptor: 3))" == "fd:3")
  }
}
