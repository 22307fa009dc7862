import ActivityClient
import TestSupport
import Testing

@testable import activityctl

@Suite("simulate") struct SimulateTests {
  @Test(
    "every device ends in the state that the daemon has, whatever it is about",
    arguments: Scenario.allCases.map(\.rawValue))
  func right(scenario: String) throws {
    let control = try Control()
    let report = try control.report(
      "--scenario \(scenario) --devices 60 --duration 4s --speed 300 --slow 20% --flaky 20%")
    #expect(report["right"]?.raw == "true")
    #expect(report["differences"]?.raw == "[]")
    #expect(try #require(report["applied"]?.integer) > 0)
    #expect(try #require(report["events"]?.integer) > 0)
    #expect(report["refused-unexpectedly"]?.raw == "{}")
    #expect(
      try control.succeed("activityctl list") == ["no activities"], "it clears away what it made")
  }

  @Test("a daemon that is killed meanwhile, and comes back, has devices and publishers again")
  func restart() throws {
    let control = try Control()
    let output = control.daemon.directory.file("report")
    _ = try control.run(
      "activityctl simulate --devices 30 --duration 6s --speed 300 --json >\(output) 2>&1 &")
    try control.waitForSessions(30)
    control.daemon.kill()
    try control.daemon.start()
    let report = try control.waitForReport(output)
    #expect(report["right"]?.raw == "true")
    #expect(try #require(report["interruptions"]?.integer) >= 30)
  }

  @Test("devices that aren't right are a failure, and are named")
  func wrong() throws {
    var report = SimulationReport(plan: SimulationPlan(), told: .seconds(1))
    #expect(report.fault == nil)
    report.seen.acceptedWrongly = 1
    #expect(report.fault == "1 writes that came too late were carried out")
    report.seen.refusedWrongly = ["limit-reached": 2]
    report.differences = ["simulation-1-device-3: a isn't shown"]
    #expect(
      report.fault
        == "1 device isn't right: simulation-1-device-3: a isn't shown")
    #expect(report.lines.last == "simulation-1-device-3: a isn't shown")
  }

  @Test("what an earlier run left, and can't be cleared away in time, is a failure")
  func clearing() throws {
    let control = try Control()
    try control.succeed(
      "activityctl start --id a --type T --channel simulation-1/everything --state n=1")
    let client = Client(.unix(path: control.daemon.socketPath))
    let simulation = Simulation(
      SimulationPlan(deviceCount: 1, duration: .zero), at: client.address, identity: Identity(),
      welcome: try client.connected().welcome)
    let failure = #expect(throws: Failure.self) {
      try SimulationRun(simulation, asking: client, patience: .zero).report()
    }
    #expect(failure?.code == .refused)
    #expect(
      failure?.message == "of an earlier run with this seed 1 activity couldn't be cleared away")
    var report = SimulationReport(plan: SimulationPlan(), told: .seconds(1))
    #expect(report.object.bool("right") == true)
    report.leftCount = 2
    #expect(report.object.bool("right") == false)
    #expect(report.fault == "2 activities couldn't be cleared away")
    #expect(report.lines.last == report.fault)
  }

  @Test("a device that shows something else than it should tells what")
  func difference() throws {
    let control = try Control()
    try control.succeed("activityctl start --id a --type T --channel c --state n=1")
    let device = SimulatedDevice(
      "d", at: .unix(path: control.daemon.socketPath), as: Identity(), channels: ["c"],
      temper: .steady,
      generator: activityctl.SeededGenerator(seed: 1))
    var seen = Measurements()
    let item = try #require(JSONObject(text: try control.succeed("activityctl list --json")[0]))
    let wanted = try #require(Activity(item))
    #expect(device.difference(from: [wanted]) == "a isn't shown")
    while device.difference(from: []) == nil { try device.turn(now: { 0 }, &seen) }
    #expect(device.difference(from: [wanted]) == nil)
    #expect(device.difference(from: []) == "1 activity too many")
    try control.succeed("activityctl update --id a --state n=2")
    let newer = try #require(JSONObject(text: try control.succeed("activityctl list --json")[0]))
    let update = try #require(Activity(newer))
    #expect(
      device.difference(from: [update]) == "a is shown as version 1, active, and is 2, active")
  }

  @Test("the same seed tells the same stories")
  func seed() {
    func stories(_ seed: UInt64) -> [String] {
      var generator = activityctl.SeededGenerator(seed: seed)
      let moment = Moment(now: 1_800_000_000, scale: 0.1)
      return Scenario.allCases.flatMap { scenario in
        scenario.story(using: &generator).steps.map { step in
          "\(step.pause) \(step.operation) \(JSONValue.object(step.keys(moment)).text)"
        }
      }
    }
    #expect(stories(1) == stories(1))
    #expect(stories(1) != stories(2))
  }

  @Test("a percentile is at most a sixteenth off, and never above the longest")
  func latencies() {
    var latencies = Latencies()
    #expect(latencies.percentile(0.5) == 0)
    for milliseconds in 1...1_000 { latencies.record(Double(milliseconds) / 1_000) }
    for part in [0.01, 0.5, 0.9, 0.99, 1] {
      let value = latencies.percentile(part)
      #expect(value >= part && value <= part * 17 / 16)
    }
    #expect(latencies.longest == 1)
    latencies.record(1e300)
    #expect(latencies.longest == 1e6, "what can't be is no longer than can be told")
    latencies.record(-1)
    #expect(WriteTime.isUrgent(1e300))
    #expect(latencies.percentile(1) == 1e6)
  }

  @Test(
    "numbers are written as people read them",
    arguments: [
      (0.000_42, "0.42 ms"), (0.001, "1 ms"), (0.012_34, "12.3 ms"), (0.999, "999 ms"),
      (1.25, "1.25 s"), (61, "61 s"),
    ])
  func figures(seconds: Double, text: String) {
    #expect(Figure.seconds(seconds) == text)
    #expect(Figure.whole(1_234_567) == "1,234,567")
    #expect(Figure.whole(-12) == "-12")
  }

  @Test(
    "what can't be simulated is a usage error",
    arguments: [
      "--devices 0", "--devices 1.5", "--slow 101%", "--slow x", "--slow 60% --flaky 60%",
      "--speed 0", "--speed 1e-300", "--speed 1e300", "--speed 1e999", "--seed -1", "--seed 1e3",
      "--scenario weather",
    ])
  func usage(flags: String) throws {
    #expect(try Control().run("activityctl simulate \(flags)").status == 64)
  }
}

extension Control {
  /// The report of a simulation that is right.
  fileprivate func report(_ flags: String) throws -> JSONLine {
    let result = try run("activityctl simulate --json \(flags)")
    guard result.status == 0, result.output.count == 1 else {
      throw TestFailure("simulate: \(result)")
    }
    return try JSONLine(result.output[0])
  }

  fileprivate func waitForSessions(_ count: Int) throws {
    let result = try run(
      """
      while [ "$(activityctl clients --json | grep -c '"keys":')" -lt \(count) ]; do sleep 0.05; done
      """)
    guard result.status == 0 else { throw TestFailure("\(result)") }
  }

  fileprivate func waitForReport(_ path: String) throws -> JSONLine {
    let lines = try run("while ! grep '^{' \(path); do sleep 0.1; done").output
    return try JSONLine(lines.first ?? "")
  }
}
