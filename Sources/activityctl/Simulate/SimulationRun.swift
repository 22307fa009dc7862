internal import ActivityClient
internal import Glibc

/// A simulation from its beginning to its report.
final class SimulationRun {
  private let simulation: Simulation
  private let client: Client
  private let startedAt = ContinuousClock.now
  private var progress = Progress()

  private static let slice: Duration = .milliseconds(250)
  /// How long everybody has at the end to show what they should: longer than it takes to come back
  /// to a daemon that was away.
  private static let patience: Duration = .seconds(60)

  /// - Parameter client: a publisher's, to ask what there is.
  init(_ simulation: Simulation, asking client: Client) {
    self.simulation = simulation
    self.client = client
  }

  /// Tells the stories, compares, and clears away what was made.
  func report() throws(Failure) -> SimulationReport {
    try clearAway(within: Self.patience)
    let end = ContinuousClock.now + simulation.plan.duration
    while ContinuousClock.now < end, !StopSignals.hasCome {
      try simulation.run(until: min(end, .now + Self.slice))
      tell("stories")
    }
    let told = startedAt.duration(to: .now)
    simulation.calmDown()
    var report = SimulationReport(plan: simulation.plan, told: told)
    report.differences = try compare(&report.activityCount)
    try clearAway(within: Self.patience)
    // Now there is nothing that a device should show.
    var rest = 0
    report.differences += try compare(&rest)
    report.seen = simulation.seen
    progress.end()
    return report
  }

  /// Looks until each device was seen to be right; answers how those differ that never were.
  private func compare(_ activityCount: inout Int) throws(Failure) -> [String] {
    let deadline = ContinuousClock.now + Self.patience
    var doubtful = simulation.devices
    while true {
      try simulation.serve(until: .now + Self.slice)
      tell("everybody reads on")
      let activities = try activities(in: ["active", "stale", "ended"])
      activityCount = activities.count
      // What was on its way when the daemon was asked should have arrived when it is looked at.
      try simulation.serve(until: .now + .milliseconds(20))
      if !simulation.hasUnansweredWrites {
        doubtful = Self.differing(doubtful, from: activities).map(\.device)
        if doubtful.isEmpty { return [] }
      }
      guard ContinuousClock.now < deadline else {
        return Self.differing(doubtful, from: activities).map { "\($0.device.name): \($0.text)" }
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

  /// Cancels everything that has the simulation's name.
  private func clearAway(within patience: Duration) throws(Failure) {
    let deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline {
      let ids = try activities(in: ["pending", "active", "stale", "ended"]).map(\.id)
      guard !ids.isEmpty else { return }
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
