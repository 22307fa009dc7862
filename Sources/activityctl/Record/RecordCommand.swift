internal import ActivityClient
internal import Glibc

/// `activityctl record`.
enum RecordCommand {
  static let record = Command(
    name: "record", summary: "write what a subscription sees to a file, to be replayed",
    details: """
      FILE gets a line of JSON for each event about an activity: the daemon's own line, and before \
      it "received", the daemon's clock when it came. What there is already comes first. A file \
      that exists isn't overwritten; - is the standard output. It goes on, over restarts of the \
      daemon, until Ctrl-C or --duration; what went away meanwhile is a dismiss with reason gone.
      """,
    operand: Operand(name: "FILE", isFile: true),
    options: Interest.options + [Option("duration", .span, "stop after this time")]
  ) { arguments throws(Failure) in
    let path = arguments.operand ?? "-"
    let follower = try Server.follower(arguments)
    StopSignals.watch()
    var recorder = Recorder(path, try OutputFile.create(path))
    let end = arguments.duration("duration").map { ContinuousClock.now + $0 }
    while !StopSignals.hasCome, end.map({ ContinuousClock.now < $0 }) ?? true {
      let left = end.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
      if let change = try follower.change(within: left, or: path == "-" ? Output.pipe : nil) {
        try recorder.take(change, now: follower.clock.now)
      } else if path == "-" {
        Output.endIfUnread()
      }
    }
    guard path != "-" else { return }
    Output.line("\(Description.count(recorder.count, "event")) recorded")
  }
}

/// Writes events as they come.
private struct Recorder {
  private let path: String
  private let descriptor: CInt
  private(set) var count = 0

  init(_ path: String, _ descriptor: CInt) {
    self.path = path
    self.descriptor = descriptor
  }

  mutating func take(_ change: Follower.Change, now: Double) throws(Failure) {
    switch change {
    case .event(let event): try write(event.line, now)
    case .synced(_, let gone):
      for id in gone {
        try write(["event": "dismiss", "id": .string(id), "reason": "gone"], now)
      }
    // A deadline that nobody told of is none that the daemon has obeyed.
    case .connected, .disconnected, .reset, .passed, .done, .refused: break
    }
  }

  private mutating func write(_ line: JSONObject, _ now: Double) throws(Failure) {
    let received = JSONValue((now * 1e6).rounded() / 1e6)
    let members = [JSONObject.Member(key: "received", value: received)] + line.members
    let text = TerminalText.json(JSONObject(members)) + "\n"
    guard Descriptor.write(text.utf8, to: descriptor) else {
      throw OutputFile.unwritable(path)
    }
    count += 1
  }
}
