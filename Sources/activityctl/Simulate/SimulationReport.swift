internal import ActivityClient

/// What came out of a simulation.
struct SimulationReport {
  let plan: SimulationPlan
  /// For how long stories were told.
  let told: Duration
  var seen = Measurements()
  /// With how many activities the devices were compared.
  var activityCount = 0
  /// A sentence for each device that isn't right.
  var differences: [String] = []
  /// How many activities couldn't be cleared away.
  var leftCount = 0

  /// Whether each device showed what it should, and nothing once all was cleared away.
  var isRight: Bool { differences.isEmpty && leftCount == 0 }

  /// What is wrong, in a sentence; nil if nothing is.
  var fault: String? {
    if let first = differences.first {
      let devices = Description.count(differences.count, "device isn't", "devices aren't")
      return "\(devices) right: \(first)"
    }
    if seen.acceptedWrongly > 0 {
      return "\(seen.acceptedWrongly) writes that came too late were carried out"
    }
    if !seen.refusedWrongly.isEmpty {
      return "writes were refused: \(Self.counts(seen.refusedWrongly))"
    }
    return leftCount > 0 ? Self.left(leftCount) : nil
  }

  static func left(_ count: Int) -> String {
    "\(Description.count(count, "activity", "activities")) couldn't be cleared away"
  }

  private static func counts(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\(Figure.whole($0.value)) \($0.key)" }
      .joined(separator: ", ")
  }

  private var latencies: [(name: String, key: String, values: Latencies)] {
    [
      ("changes, at once", "priority-10", seen.direct),
      ("changes, within 1 s", "priority-5", seen.gathered),
      ("all, slow devices", "slow", seen.slow),
      ("deadlines", "deadlines", seen.deadlines),
    ]
  }
}

// MARK: - For people

extension SimulationReport {
  var lines: [String] {
    let share = { (part: Double) in "\(Int((part * 100).rounded()))%" }
    var lines = [
      "\(plan.scenario.rawValue), \(Figure.plain(plan.speed)) times as fast as in life, for "
        + "\(TimeText.clock(told / .seconds(1))) (seed \(plan.seed))",
      "\(Figure.whole(plan.deviceCount)) devices, \(share(plan.slow)) slow, "
        + "\(share(plan.flaky)) flaky; \(plan.publisherCount) publishers",
      "",
      "changes    \(Figure.whole(seen.applied)) carried out, \(Figure.whole(seen.noops)) with "
        + "nothing new",
      seen.refusedRightly.isEmpty
        ? "refused    none" : "refused    \(Self.counts(seen.refusedRightly)), as it should be",
      "events     \(Figure.whole(seen.events)) received; \(Figure.whole(seen.conflated)) conflated, "
        + "\(Figure.whole(seen.skippedAway)) skipped while away",
      "devices    \(Figure.whole(seen.interruptions)) interruptions, "
        + "\(Figure.whole(seen.swipes)) dismissals, \(Figure.whole(seen.resets)) resets",
      "",
    ]
    var table = TextTable(["LATENCY", "COUNT", "P50", "P90", "P99", "P99.9", "LONGEST"])
    for (name, _, values) in latencies where values.count > 0 {
      table.append(
        [name, Figure.whole(values.count)]
          + [0.5, 0.9, 0.99, 0.999].map { Figure.seconds(values.percentile($0)) }
          + [Figure.seconds(values.longest)])
    }
    lines += table.lines() + [""]
    lines +=
      isRight
      ? [
        "All \(Figure.whole(plan.deviceCount)) devices are right: each showed what the daemon had, of "
          + "\(Description.count(activityCount, "activity", "activities")), and nothing when all "
          + "were cancelled."
      ] : differences.prefix(10) + (leftCount > 0 ? [Self.left(leftCount)] : [])
    return lines
  }
}

// MARK: - For machines

extension SimulationReport {
  var object: JSONObject {
    [
      "scenario": .string(plan.scenario.rawValue), "seed": .number("\(plan.seed)"),
      "seconds": JSONValue(told / .seconds(1)), "speed": JSONValue(plan.speed),
      "devices": JSONValue(plan.deviceCount), "publishers": JSONValue(plan.publisherCount),
      "applied": JSONValue(seen.applied), "noops": JSONValue(seen.noops),
      "refused": Self.object(seen.refusedRightly),
      "refused-unexpectedly": Self.object(seen.refusedWrongly),
      "late-but-accepted": JSONValue(seen.acceptedWrongly), "events": JSONValue(seen.events),
      "conflated": JSONValue(seen.conflated), "skipped-while-away": JSONValue(seen.skippedAway),
      "interruptions": JSONValue(seen.interruptions), "dismissals": JSONValue(seen.swipes),
      "resets": JSONValue(seen.resets), "latency": .object(JSONObject(latencies.map(Self.member))),
      "activities": JSONValue(activityCount), "right": .bool(isRight),
      "differences": JSONValue(differences), "left": JSONValue(leftCount),
    ]
  }

  private static func object(_ counts: [String: Int]) -> JSONValue {
    .object(
      JSONObject(
        counts.sorted { $0.key < $1.key }.map {
          JSONObject.Member(key: $0.key, value: JSONValue($0.value))
        }))
  }

  /// In seconds.
  private static func member(
    _ latency: (name: String, key: String, values: Latencies)
  ) -> JSONObject.Member {
    let values = latency.values
    return JSONObject.Member(
      key: latency.key,
      value: [
        "count": JSONValue(values.count), "p50": JSONValue(values.percentile(0.5)),
        "p90": JSONValue(values.percentile(0.9)), "p99": JSONValue(values.percentile(0.99)),
        "p999": JSONValue(values.percentile(0.999)), "longest": JSONValue(values.longest),
      ])
  }
}

/// Numbers as people read them.
enum Figure {
  /// With a comma before each three digits.
  static func whole(_ number: Int) -> String {
    var text = ""
    for (index, digit) in "\(number.magnitude)".reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }

  /// Without a fraction where there is none.
  static func plain(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// In milliseconds or, from one second on, in seconds, with three digits at the most.
  static func seconds(_ seconds: Double) -> String {
    let isLong = seconds >= 1
    let value = isLong ? seconds : seconds * 1_000
    let steps = value < 10 ? 100.0 : value < 100 ? 10.0 : 1.0
    return plain((value * steps).rounded() / steps) + (isLong ? " s" : " ms")
  }
}
