internal import ActivityClient

/// `activityctl replay`.
enum ReplayCommand {
  static let replay = Command(
    name: "replay", summary: "publish again what was recorded, at the same pace",
    details: """
      FILE is what activityctl record wrote, or watch --json; - is the standard input. Each event \
      becomes the request that brings an activity to what the event shows: start (in place of \
      what has its id), update, end or cancel. Deadlines are as far ahead as they were, divided by \
      --speed; what they did isn't published, they do it again. Dismissals of single devices, \
      actions, and events of activities whose start isn't in FILE are left out. One request that \
      is refused doesn't stop the others. Needs role publisher.
      """,
    operand: Operand(name: "FILE", isFile: true),
    options: [
      Option("speed", .number("N"), "so many times as fast as it was recorded; 1 if not said"),
      Option("id-prefix", .text("TEXT"), "goes before each id, so that no other is touched"),
      Option("channel", .names("NAME"), "publish it there instead; may be repeated"),
    ]
  ) { arguments throws(Failure) in
    let speed = try arguments.speed() ?? 1
    let events = try events(arguments.operand ?? "-")
    let client = try Server.client(arguments)
    let clock = ServerClock(try client.welcome())
    var replay = Replay(speed: speed, prefix: arguments.string("id-prefix") ?? "")
    let channels = arguments.names("channel")
    if !channels.isEmpty { replay.channels = channels }
    let beginning = clock.now
    var refusedCount = 0
    for event in events {
      let due = beginning + (event.received - events[0].received) / speed
      while clock.now < due { pause(for: clock.real(until: due)) }
      for write in replay.writes(for: event) {
        let isAccepted = try WriteCommands.isAccepted(
          write.operation, write.keys, from: client, arguments)
        if !isAccepted { refusedCount += 1 }
      }
    }
    guard refusedCount == 0 else {
      throw Failure(.refused, "refused", "\(Description.count(refusedCount, "request")) refused")
    }
  }

  private static func events(_ path: String) throws(Failure) -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    for (index, line) in try InputFile.text(path, bytesMax: .max).split(separator: "\n")
      .enumerated()
    {
      guard let object = JSONObject(text: line) else {
        throw Failure(.data, "bad-json", "line \(index + 1) of \(path) isn't a JSON object")
      }
      if let event = RecordedEvent(object) { events.append(event) }
    }
    // Lines of several recordings may have been put together.
    return events.enumerated().sorted {
      ($0.element.received, $0.offset) < ($1.element.received, $1.offset)
    }.map(\.element)
  }
}
