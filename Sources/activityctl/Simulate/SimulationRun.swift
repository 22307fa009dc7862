internal import ActivityClient
internal import Glibc

/// A simulation from its beginning to its report.
final class SimulationRun {
  private let simulation: Simulation
  private let client: Client
  private let startedAt = ContinuousClock.now
  private var progress = Progress()

  /// How long everybody has at the end to show what they should, and how long clearing away may
  /// take: longer than it takes to come back to a daemon that was away.
  private let patience: Duration

  private static let slice: Duration = .milliseconds(250)

  /// - Parameter client: a publisher's, to ask what there is.
  init(_ simulation: Simulation, asking client: Client, patience: Duration = .seconds(60)) {
    self.simulation = simulation
    self.client = client
    self.patience = patience
  }

  /// Tells the stories, compares, and clears away what was made.
  func report() throws(Failure) -> SimulationReport {
    defer { progress.end() }
    try requireCleared(try clearAway())
    let beginning = ContinuousClock.now
    let end = beginning + simulation.plan.duration
    while ContinuousClock.now < end, !StopSignals.hasCome {
      try simulation.run(until: min(end, .now + Self.slice))
      tell("stories")
    }
    var report = SimulationReport(plan: simulation.plan, told: beginning.duration(to: .now))
    simulation.calmDown()
    (report.activityCount, report.differences) = try compare()
    report.leftCount = try clearAway()
    // Now there is nothing that a device should show.
    if report.fault == nil { report.differences = try compare().differences }
    report.seen = simulation.seen
    return report
  }

  /// Looks until each device was seen to be right; answers with how many activities they were
  /// compared, and how those differ that never were.
  private func compare() throws(Failure) -> (activityCount: Int, differences: [String]) {
    let deadline = ContinuousClock.now + patience
    var doubtful = simulation.devices
    while true {
      try simulation.serve(until: .now + Self.slice)
      tell("everybody reads on")
      let activities = try activities(in: ["active", "stale", "ended"])
      // What was on its way when the daemon was asked should have arrived when it is looked at.
      try simulation.serve(until: .now + .milliseconds(20))
      let isAnswered = !simulation.hasUnansweredWrites
      let differing = Self.differing(doubtful, from: activities)
      if isAnswered { doubtful = differing.map(\.device) }
      if doubtful.isEmpty { return (activities.count, []) }
      guard ContinuousClock.now < deadline else {
        let texts = differing.map { "\($0.device.name): \($0.text)" }
        return (activities.count, isAnswered ? texts : ["not every write is answered"] + texts)
      }
    }
  }

  private static func differing(
    _ devices: [SimulatedDevice], from activities: [Activity]
  ) -> [(device: SimulatedDevice, text: String)] {
    var byChannel: [String: [Activity]] = [:]
    for activity in activities {
      for channel in activity.channels { byChannel[channel, default: []].append(activity) }
    }
    return devices.compactMap { device in
      // A device has one channel, so that nothing is wanted twice.
      let wanted = device.channels.flatMap { byChannel[$0] ?? [] }
      return device.difference(from: wanted).map { (device, $0) }
    }
  }

  private func activities(in states: [String]) throws(Failure) -> [Activity] {
    let question: JSONObject = [
      "channels": [.string(simulation.plan.everything)], "states": JSONValue(states),
    ]
    return try client.ask("list", question).items.compactMap(Activity.init)
  }

  /// What an earlier run left would be taken for this one's.
  private func requireCleared(_ leftCount: Int) throws(Failure) {
    guard leftCount > 0 else { return }
    throw Failure(
      .refused, "not-cleared-away",
      "of an earlier run with this seed \(SimulationReport.left(leftCount))",
      advice: "Take another --seed, or activityctl cancel --channel \(simulation.plan.everything).")
  }

  /// Cancels everything that has the simulation's name; answers how much is there all the same when
  /// the time for that is over.
  private func clearAway() throws(Failure) -> Int {
    let deadline = ContinuousClock.now + patience
    while true {
      let ids = try activities(in: ["pending", "active", "stale", "ended"]).map(\.id)
      guard !ids.isEmpty, ContinuousClock.now < deadline else { return ids.count }
      simulation.cancel(ids)
      while simulation.hasUnansweredWrites, ContinuousClock.now < deadline {
        try simulation.serve(until: .now + .milliseconds(50))
      }
    }
  }

  private func tell(_ phase: String) {
    progress.tell(
      phase, simulation, seconds: startedAt.duration(to: .now) / .seconds(1))
  }
}

/// How far it is, on the standard error: a line that changes on a terminal, else one now and then.
private struct Progress {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var toldAt = -Self.secondsBetweenLines
  private var eventsBefore = 0
  private var writesBefore = 0

  private static let secondsBetweenLines = 10.0

  mutating func tell(_ phase: String, _ simulation: Simulation, seconds: Double) {
    let pause = seconds - toldAt
    guard pause >= (isTerminal ? 0.5 : Self.secondsBetweenLines) else { return }
    let writes = simulation.seen.applied + simulation.seen.noops
    let rates = [
      "\(Int(Double(writes - writesBefore) / pause)) changes/s",
      "\(Int(Double(simulation.seen.events - eventsBefore) / pause)) events/s",
    ]
    let line =
      ([
        "\(TimeText.clock(seconds)) \(phase)",
        "\(simulation.connectedCount) of \(simulation.devices.count) devices connected",
      ] + (toldAt < 0 ? [] : rates)).joined(separator: " · ")
    Output.progress(line, isTerminal: isTerminal)
    (toldAt, eventsBefore, writesBefore) = (seconds, simulation.seen.events, writes)
  }

  func end() {
    if isTerminal { Output.progress("", isTerminal: true) }
  }
}
