internal import ActivityCore

/// What the benchmarks work on: small activities with 256 bytes of content each.
enum Sample {
  static let now = Instant(seconds: 1_800_000_000)

  static func id(_ number: Int) -> String { "bench-\(number)" }

  /// A compact object of 256 bytes, which differs for each number.
  static func content(_ number: Int) -> JSONText {
    let head = "{\"n\":\"\(number)\",\"x\":\""
    return JSONText(
      bytes: Array((head + String(repeating: "x", count: 254 - head.utf8.count) + "\"}").utf8))
  }

  static func start(_ number: Int, channel: String = "bench") -> Start {
    var start = Start(attributesType: "bench", contentState: content(0))
    start.channels = [channel]
    start.relevanceScore = Double(number % 100)
    return start
  }

  static func update(_ number: Int) -> Update {
    var update = Update()
    update.contentState = content(number)
    return update
  }

  /// The line of an update of the activity with this number.
  static func updateLine(_ number: Int) -> [UInt8] {
    Array("{\"op\":\"update\",\"id\":\"\(id(number))\",\"content-state\":".utf8)
      + content(number).bytes + Array("}\n".utf8)
  }

  static func startLine(_ number: Int) -> [UInt8] {
    Array(
      ("{\"op\":\"start\",\"id\":\"\(id(number))\",\"attributes-type\":\"bench\","
        + "\"channels\":[\"bench\"],\"content-state\":").utf8)
      + content(0).bytes + Array("}\n".utf8)
  }

  /// As it is on disk, live, with the generation and seq of its number.
  static func activity(_ number: Int) -> Activity {
    let publisher = "tcp:127.0.0.1:7420"
    var activity = Activity(
      id: id(number), attributesType: "bench", channels: ["bench"],
      contentState: content(number), watermark: now,
      startDate: now, lifetime: .hours(8), startedBy: publisher, changedBy: publisher)
    activity.relevanceScore = Double(number % 100)
    activity.version = 1
    activity.generation = Seq(number + 1)
    activity.seq = Seq(number + 1)
    activity.shownSeq = Seq(number + 1)
    return activity
  }
}

/// The same numbers in each run, in no order.
struct Scatter {
  private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

  /// Below `bound`.
  mutating func next(below bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
  }
}
