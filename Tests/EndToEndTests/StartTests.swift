import TestSupport
import Testing

@Suite("Starting")
struct StartTests {
  @Test("a second daemon on the same state directory is refused and the first is told of")
  func secondDaemon() throws {
    let place = try Installation()
    let daemon = try place.start()
    let second = try place.failToStart("--listen", "tcp:127.0.0.1:0")
    #expect(second.end == .exited(75))
    #expect(second.log.contains("\(place.statePath) is in use by another activityd"))
    #expect(second.log.contains("\(daemon.process.processID)"))
    #expect(try daemon.device().order(#"{"op":"ping"}"#)["seq"]?.integer == 0)
  }

  @Test("a port in use is told, with exit code 69")
  func portInUse() throws {
    let daemon = try Installation().start()
    let address = "tcp:127.0.0.1:\(daemon.port)"
    let second = try Installation().failToStart("--listen", address)
    #expect(second.end == .exited(69))
    #expect(second.log.contains(address))
  }

  @Test("a socket on which somebody listens is left alone, with exit code 69")
  func liveSocket() throws {
    let place = try Installation()
    let daemon = try place.start()
    let second = try Installation().failToStart("--listen", "unix:\(place.socketPath)")
    #expect(second.end == .exited(69))
    #expect(second.log.contains(place.socketPath))
    #expect(try daemon.publisher().order(#"{"op":"ping"}"#)["ok"] != nil)
  }

  @Test("a socket left behind by a crash is replaced")
  func staleSocket() throws {
    let place = try Installation()
    try place.start().process.kill()
    #expect(Files.mode(of: place.socketPath) != nil)
    let daemon = try place.start()
    #expect(try daemon.publisher().order(#"{"op":"ping"}"#)["ok"] != nil)
  }

  @Test("a file in the place of the socket is never removed")
  func fileAtSocketPath() throws {
    let place = try Installation()
    try Files.write("precious", to: place.socketPath)
    let result = try place.failToStart("--listen", "unix:\(place.socketPath)")
    #expect(result.end == .exited(69))
    #expect(result.log.contains(place.socketPath))
    #expect(try Files.read(place.socketPath) == "precious")
  }

  @Test("a file that is no store is told, with exit code 74, and left as it is")
  func garbageAsStore() throws {
    let place = try Installation()
    let garbage = String(repeating: "this is no database. ", count: 1_000)
    try Files.makeFolder(place.statePath)
    try Files.write(garbage, to: place.statePath + "/activityd.db")
    let result = try place.failToStart()
    #expect(result.end == .exited(74))
    #expect(result.log.contains("activityd.db"))
    #expect(try Files.read(place.statePath + "/activityd.db") == garbage)
    #expect(Files.mode(of: place.socketPath) == nil)
  }

  @Test(
    "an address that others can reach is refused, with exit code 78",
    arguments: [
      "tcp:0.0.0.0:0", "tcp:192.0.2.1:0", "tcp:[::]:0",
    ])
  func openAddress(address: String) throws {
    let result = try Installation().failToStart("--listen", address)
    #expect(result.end == .exited(78))
    #expect(result.log.contains("RequireToken=yes"))
  }

  @Test("a new epoch voids the cursors of the old one, in the banner too")
  func newEpoch() throws {
    let place = try Installation()
    let daemon = try place.start()
    let device = try LineClient(port: daemon.port)
    let old = try device.next("welcome")["epoch"]
    _ = try device.order(#"{"op":"subscribe","all":true}"#)
    let cursor = try #require(try device.next("synced")["cursor"]?.string)
    #expect(try daemon.stop() == .exited(0))

    let again = try place.start("--new-epoch")
    let returned = try LineClient(port: again.port)
    #expect(try returned.next("welcome")["epoch"] != old)
    _ = try returned.order(#"{"op":"subscribe","all":true,"since":"\#(cursor)"}"#)
    #expect(try returned.next("reset")["reason"]?.string == "epoch")
    #expect(try again.stop() == .exited(0))
  }

  @Test("a relative path in an XDG variable is ignored, as they are to be")
  func relativeStateHome() throws {
    let folder = try TemporaryDirectory()
    let daemon = try DaemonProcess(
      ["--listen", "unix:\(folder.file("socket"))"],
      environment: ["XDG_STATE_HOME=relative", "HOME=\(folder.path)"])
    _ = try daemon.waitUntilReady()
    #expect(Files.mode(of: folder.file(".local/state/activityd/activityd.db")) != nil)
  }

  @Test("the state directory is for its owner only, the socket for everybody")
  func permissions() throws {
    let place = try Installation()
    let daemon = try place.start()
    #expect(Files.mode(of: place.statePath) == 0o700)
    #expect(Files.mode(of: place.statePath + "/activityd.db") == 0o600)
    #expect(Files.mode(of: place.socketPath) == 0o666)
    #expect(try daemon.stop() == .exited(0))
  }
}

@Suite("A faster clock")
struct TimeScaleTests {
  private static let start =
    #"{"op":"start","id":"a","attributes-type":"T","content-state":1,"lifetime":600}"#

  @Test("a store opens only with the time scale it was made with", arguments: ["2", "101"])
  func anotherScale(scale: String) throws {
    let place = try Installation()
    let daemon = try place.start("--time-scale", "100")
    let client = try LineClient(port: daemon.port)
    #expect(try client.next("welcome")["time-scale"]?.integer == 100)
    #expect(try daemon.stop() == .exited(0))

    let other = try place.failToStart("--time-scale", scale)
    #expect(other.end == .exited(78))
    #expect(other.log.contains("--time-scale 100"))
    #expect(try place.failToStart().end == .exited(78))
    #expect(try place.start("--time-scale", "100").stop() == .exited(0))
  }

  @Test("a store that holds activities can't be scaled afterwards; an empty one can")
  func scalingAfterwards() throws {
    let place = try Installation()
    #expect(try place.start().stop() == .exited(0))
    #expect(try place.start("--time-scale", "1").stop() == .exited(0))
    let daemon = try place.start()
    _ = try daemon.publisher().order(Self.start)
    #expect(try daemon.stop() == .exited(0))
    let scaled = try place.failToStart("--time-scale", "10")
    #expect(scaled.end == .exited(78))
    #expect(try place.start().stop() == .exited(0))

    let empty = try Installation()
    #expect(try empty.start().stop() == .exited(0))
    #expect(try empty.start("--time-scale", "10").stop() == .exited(0))
  }

  @Test("hours pass in milliseconds, with every date in scaled time")
  func hoursPass() throws {
    let daemon = try Installation().start("--time-scale", "100000")
    let device = try daemon.device()
    _ = try device.order(#"{"op":"subscribe","all":true}"#)
    _ = try device.next("synced")
    let start = try daemon.publisher().order(
      #"{"op":"start","id":"a","attributes-type":"T","content-state":1,"stale-after":14400}"#)
    let began = try device.next("start")
    let stale = try device.next("stale")
    let end = try device.next("end")
    let dismissal = try device.next("dismiss")
    #expect(began["start-date"]?.number == (start["end-date"]?.number ?? 0) - 28_800)
    #expect(stale["at"] == start["stale-date"])
    #expect(end["at"] == start["end-date"])
    #expect(end["reason"]?.string == "lifetime")
    #expect(dismissal["at"]?.number == (start["end-date"]?.number ?? 0) + 14_400)
  }
}
