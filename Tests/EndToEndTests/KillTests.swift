import Glibc
import TestSupport
import Testing

@Suite("Crashes")
struct KillTests {
  /// `KILLS` in the environment, 20 without.
  private static let kills = number("KILLS") ?? 20
  /// `SEED` in the environment: of what is written, and of when it is killed as far as a clock can
  /// be obeyed.
  private static let seed = UInt64(number("SEED") ?? 1)

  private static func number(_ name: String) -> Int? {
    unsafe getenv(name).flatMap { unsafe Int(String(cString: $0)) }
  }

  @Test("killed again and again amid writes, it loses nothing acknowledged and does nothing twice")
  func killedUnderLoad() throws {
    var trial = Trial(place: try Installation(), seed: Self.seed)
    for _ in 0..<Self.kills {
      if trial.random.chance(oneIn: 2) { try trial.killAmidStart() }
      let daemon = try trial.restart()
      try trial.load(daemon)
    }
    _ = try trial.restart()
    #expect(trial.display.resets == 0)
    // It really was amid them.
    #expect(trial.publishers.reduce(0) { $0 + $1.interruptions } > 0)
  }

  /// Publishers that write, a device that comes back with its cursor, and a daemon that is killed
  /// under them.
  private struct Trial {
    let place: Installation
    let publishers: [ScriptedPublisher]
    var random: SeededGenerator
    var display = Display()
    private var device: LineClient?

    init(place: Installation, seed: UInt64) {
      self.place = place
      var random = SeededGenerator(seed: seed)
      publishers = (0..<4).map {
        ScriptedPublisher(name: "p\($0)", usesKeys: $0 % 2 == 0, seed: random.next())
      }
      self.random = random
    }

    /// Kills a daemon that is about to serve.
    mutating func killAmidStart() throws {
      let process = try place.launch([])
      usleep(.random(in: 0...30_000, using: &random))
      process.kill()
    }

    /// Starts the daemon and holds what it knows against what everybody was told before.
    mutating func restart() throws -> RunningDaemon {
      let daemon = try place.start()
      let seq = try daemon.device().order(#"{"op":"ping"}"#)["seq"]?.integer ?? 0
      let told = publishers.map(\.highestSeq) + [display.highestSeq]
      #expect(told.allSatisfy { $0 <= seq })

      // The device resumes, and shows what a new one would be shown.
      let device = try daemon.device()
      try display.subscribe(device)
      self.device = device
      var fresh = Display()
      try fresh.subscribe(daemon.device())
      #expect(display.cards == fresh.cards)

      let items = try Self.items(daemon)
      for publisher in publishers {
        try publisher.connect(to: daemon)
        try publisher.recover(from: items.filter { $0.key.hasPrefix(publisher.name + "-") })
      }
      return daemon
    }

    private static func items(_ daemon: RunningDaemon) throws -> [String: Snapshot] {
      let client = try daemon.publisher()
      try client.sendLine(#"{"op":"list"}"#)
      var items: [String: Snapshot] = [:]
      while let item = try client.next()["activity"]?.object {
        items[item["id"]?.string ?? ""] = try Snapshot(item)
      }
      return items
    }

    /// Lets everybody write at once, and kills the daemon amid it.
    mutating func load(_ daemon: RunningDaemon) throws {
      var order: [ScriptedPublisher] = []
      for publisher in publishers {
        let count = random.below(13)
        publisher.prepare(pieces: count)
        order += repeatElement(publisher, count: count)
      }
      for publisher in order.shuffled(using: &random) { try publisher.send() }
      // At any moment from before its first commit to after its last.
      usleep(.random(in: 0...20_000, using: &random))
      daemon.process.kill()
      for publisher in publishers {
        // What had been sent by then still arrives.
        while try publisher.receive() {}
        try publisher.checkAnswers()
      }
      while let line = try device?.readLine() { try display.take(JSONLine(line)) }
    }
  }
}
