import Glibc
import TestSupport
import Testing

/// The machine's wall clock as administrators, NTP and a closed lid treat it.
@Suite("A clock that is set")
struct ClockTests {
  private let faults: Faults
  private let place: Installation

  init() throws {
    faults = try Faults()
    place = try Installation(faults: faults)
  }

  private static func start(_ id: String, staleAfter: Int) -> String {
    #"""
    {"op":"start","id":"\#(id)","attributes-type":"T","content-state":1,\#
    "stale-after":\#(staleAfter)}
    """#
  }

  /// A device that is subscribed to everything.
  private func follow(_ daemon: RunningDaemon) throws -> LineClient {
    let device = try daemon.device()
    _ = try device.order(#"{"op":"subscribe","all":true}"#)
    while try device.next().event != "synced" {}
    return device
  }

  @Test("forwards by hours fires what is due, at once, each in order and with its due time")
  func forwards() throws {
    let daemon = try place.start()
    let publisher = try daemon.publisher()
    let device = try follow(daemon)
    let start = try publisher.order(Self.start("a", staleAfter: 3_600))
    _ = try device.next("start")
    faults.stepClock(bySeconds: 13 * 3_600)
    // Every device is told what time it is now.
    let now = try #require(try device.next("ping")["now"]?.number)
    #expect((faults.now - 3_600...faults.now).contains(now))
    let stale = try device.next("stale")
    #expect(stale["at"] == start["stale-date"])
    let end = try device.next("end")
    #expect(end["at"] == start["end-date"])
    let dismissal = try device.next("dismiss")
    #expect(dismissal["at"]?.number == start["end-date"]?.number.map { $0 + 4 * 3_600 })
  }

  @Test("backwards by hours fires nothing before its time, and nothing twice")
  func backwards() throws {
    let daemon = try place.start()
    let publisher = try daemon.publisher()
    let device = try follow(daemon)
    let early = try publisher.order(Self.start("early", staleAfter: 600))
    let late = try publisher.order(Self.start("late", staleAfter: 1_200))
    for _ in 0..<2 { _ = try device.next("start") }
    faults.stepClock(bySeconds: 900)
    _ = try device.next("ping")
    #expect(try device.next("stale")["at"] == early["stale-date"])
    faults.stepClock(bySeconds: -6 * 3_600)
    _ = try device.next("ping")
    // Where "early" is due for the second time.
    faults.stepClock(bySeconds: 6 * 3_600)
    _ = try device.next("ping")
    faults.stepClock(bySeconds: 600)
    _ = try device.next("ping")
    #expect(try device.next("stale")["at"] == late["stale-date"])
    #expect(try publisher.order(#"{"op":"get","id":"early"}"#)["activity"]?.object?.version == 2)
  }

  @Test("and set again, at random, never makes anything early or double")
  func wandering() throws {
    let daemon = try place.start()
    let publisher = try daemon.publisher()
    let device = try follow(daemon)
    var random = SeededGenerator(seed: 1)
    for number in 0..<200 {
      let start = Self.start("\(number)", staleAfter: .random(in: 1_000...12_000, using: &random))
      _ = try publisher.order(start)
      _ = try device.next("start")
    }
    _ = try publisher.order(Self.start("beat", staleAfter: 40_000))
    _ = try device.next("start")
    var fired: Set<String> = []
    var latest = faults.now
    var position: Int64 = 0
    for beat in 1...100 {
      // To anywhere in the first seven hours: none has come to the end of its lifetime by then.
      let second = Int64.random(in: 0...25_000, using: &random)
      faults.stepClock(bySeconds: second - position)
      position = second
      latest = max(latest, faults.now)
      _ = try device.next("ping")
      // All that was due by then is told before it.
      _ = try publisher.order(#"{"op":"update","id":"beat","content-state":\#(beat)}"#)
      var line = try device.next()
      while line.event == "stale" {
        #expect(try #require(line["at"]?.number) <= faults.now)
        let isFirst = fired.insert(line["id"]?.string ?? "").inserted
        #expect(isFirst)
        line = try device.next()
      }
      #expect(line["content-state"]?.integer == beat)
    }
    try expectStale(fired, by: latest, publisher)
  }

  private func expectStale(
    _ fired: Set<String>, by latest: Double, _ publisher: LineClient
  ) throws {
    try publisher.sendLine(#"{"op":"list"}"#)
    while let item = try publisher.next()["activity"]?.object {
      let id = try #require(item["id"]?.string)
      guard id != "beat" else { continue }
      #expect(fired.contains(id) == (item.state == "stale"))
      #expect(item.version == (fired.contains(id) ? 2 : 1))
      // Missed by nobody: what is still fresh was due later than the clock ever stood.
      if item.state == "active" { #expect(try #require(item["stale-date"]?.number) > latest - 1) }
    }
  }

  /// While a machine sleeps, the wall clock goes on, processes and the monotonic clock don't.
  @Test("by a suspend fires what fell due meanwhile as soon as the machine wakes up")
  func suspend() throws {
    let daemon = try place.start()
    let publisher = try daemon.publisher()
    let device = try follow(daemon)
    let start = try publisher.order(Self.start("a", staleAfter: 3_600))
    _ = try device.next("start")
    daemon.process.signal(SIGSTOP)
    faults.stepClock(bySeconds: 7_200)
    daemon.process.signal(SIGCONT)
    _ = try device.next("ping")
    #expect(try device.next("stale")["at"] == start["stale-date"])
    // Nobody is thought dead for what the machine slept through.
    #expect(try device.order(#"{"op":"ping"}"#)["ok"] != nil)
  }

  @Test("while the daemon is down leaves lifetimes what they are")
  func lifetimesOverRestarts() throws {
    let first = try place.start()
    let start = try first.publisher().order(
      #"{"op":"start","id":"a","attributes-type":"T","content-state":1,"lifetime":7200}"#)
    first.process.kill()
    faults.stepClock(bySeconds: 7_100)
    let second = try place.start()
    let before = try second.publisher().order(#"{"op":"get","id":"a"}"#)["activity"]?.object
    #expect(before?.state == "active")
    #expect(before?["end-date"] == start["end-date"])
    #expect(try second.stop() == .exited(0))
    faults.stepClock(bySeconds: -7_000)
    #expect(try place.start().stop() == .exited(0))
    faults.stepClock(bySeconds: 7_200)
    let third = try place.start()
    let after = try third.publisher().order(#"{"op":"get","id":"a"}"#)["activity"]?.object
    #expect(after?.state == "ended")
    #expect(after?["at"] == start["end-date"])
    #expect(after?.version == 2)
  }

  @Test("by more than a day forgets what was dismissed, and gives its room on the disk back")
  func room() throws {
    let daemon = try place.start()
    let publisher = try daemon.publisher()
    let text = String(repeating: "x", count: 4_000)
    for number in 0..<500 {
      _ = try publisher.order(
        #"{"op":"start","id":"\#(number)","attributes-type":"T","content-state":"\#(text)"}"#)
    }
    let path = place.statePath + "/activityd.db"
    // It is moved there from the log when nothing is written for a while.
    let before = try waitForSize(of: path) { $0 > 500 * 4_000 }
    faults.stepClock(bySeconds: 2 * 24 * 3_600)
    _ = try waitForSize(of: path) { $0 < before / 2 }
  }

  private func waitForSize(of path: String, _ isRight: (Int) -> Bool) throws -> Int {
    for _ in 0..<LineClient.patience * 10 {
      let size = try Files.bytes(of: path).count
      if isRight(size) { return size }
      usleep(100_000)
    }
    throw TestFailure("\(path) has \(try Files.bytes(of: path).count) bytes")
  }

  @Test("carries the activities' faster clock along")
  func timeScale() throws {
    let daemon = try place.start("--time-scale", "60")
    let publisher = try daemon.publisher()
    let device = try follow(daemon)
    // A minute of the machine's each hour.
    let start = try publisher.order(Self.start("a", staleAfter: 6 * 3_600))
    _ = try device.next("start")
    faults.stepClock(bySeconds: 5 * 60)
    _ = try device.next("ping")
    #expect(try publisher.order(#"{"op":"get","id":"a"}"#)["activity"]?.object?.state == "active")
    faults.stepClock(bySeconds: 60)
    _ = try device.next("ping")
    #expect(try device.next("stale")["at"] == start["stale-date"])
  }
}
