import TestSupport

/// What an activity is, as far as writes decide it.
struct Snapshot: Equatable {
  var version: Int
  var state: String
  var content: String

  /// Of an item of `get` or `list`.
  init(_ item: JSONLine) throws {
    guard let version = item.version, let state = item.state else {
      throw TestFailure("no item: \(item)")
    }
    self.version = version
    self.state = state
    content = item["content-state"]?.raw ?? ""
  }

  init(version: Int, state: String, content: String) {
    self.version = version
    self.state = state
    self.content = content
  }
}

/// A publisher that writes at random and knows what must come of it: nobody else writes to its
/// activities.
final class ScriptedPublisher {
  struct Write {
    let id: String
    let line: String
    /// What the activity is after it.
    let result: Snapshot
  }

  let name: String
  private let usesKeys: Bool
  private var random: SeededGenerator
  /// All that was sent, but for what is known not to have landed.
  private(set) var writes: [Write] = []
  /// So many of them, from the first on, were answered.
  private(set) var acknowledged = 0
  /// Prepared and not sent yet.
  private var pieces: [[UInt8]] = []
  /// Received and not looked at yet.
  private var answers: [String] = []
  /// How often a crash came between some of its writes.
  private(set) var interruptions = 0
  private(set) var highestSeq = 0
  /// What its activities are after all writes.
  private var present: [String: Snapshot] = [:]
  private var contents = 0
  private var client: LineClient?

  /// - Parameter usesKeys: whether each write has an idempotency key, so that it can be repeated.
  init(name: String, usesKeys: Bool, seed: UInt64) {
    self.name = name
    self.usesKeys = usesKeys
    random = SeededGenerator(seed: seed)
  }

  func connect(to daemon: RunningDaemon) throws { client = try daemon.publisher() }

  /// Thinks out some pieces of several writes each, for `send`.
  func prepare(pieces count: Int) {
    for _ in 0..<count {
      var piece = ""
      for _ in 0..<1 + random.below(40) {
        let write = makeWrite()
        writes.append(write)
        present[write.id] = write.result
        piece += write.line + "\n"
      }
      pieces.append(Array(piece.utf8))
    }
  }

  /// Sends the next piece, and doesn't wait for the answers.
  func send() throws { try client?.send(pieces.removeFirst()) }

  private func makeWrite() -> Write {
    let id = "\(name)-\(random.below(12))"
    let before = present[id]
    let isLive = before?.state == "active"
    let op = !isLive ? "start" : random.chance(oneIn: 8) ? "end" : "update"
    contents += 1
    let content = #"{"n":\#(contents)}"#
    var line = #"{"op":"\#(op)","id":"\#(id)","content-state":\#(content),"ref":\#(contents)"#
    if op == "start" { line += #","attributes-type":"T","attributes":{"by":"\#(name)"}"# }
    if usesKeys { line += #","idempotency-key":"\#(name)-\#(contents)""# }
    // To start an ended one anew dismisses it first, which is a change of its own.
    let changes = op == "start" && before != nil ? 2 : 1
    return Write(
      id: id, line: line + "}",
      result: Snapshot(
        version: (before?.version ?? 0) + changes, state: op == "end" ? "ended" : "active",
        content: content))
  }

  /// Receives the next answer; false if the daemon is gone, or has answered all.
  func receive() throws -> Bool {
    guard acknowledged + answers.count < writes.count, let line = try client?.readLine() else {
      return false
    }
    answers.append(line)
    return true
  }

  /// Looks at the answers received.
  func checkAnswers() throws {
    for line in answers {
      try check(try JSONLine(line), of: acknowledged, isReplayed: false)
      acknowledged += 1
    }
    answers = []
  }

  private func check(_ answer: JSONLine, of index: Int, isReplayed: Bool) throws {
    let write = writes[index]
    guard answer["ok"] != nil, answer["id"]?.string == write.id,
      answer.version == write.result.version, answer.state == write.result.state,
      answer["outcome"]?.string == "applied",
      (answer["replayed"] != nil) == isReplayed, let seq = answer["seq"]?.integer
    else { throw TestFailure("\(write.line) was answered \(answer), replayed: \(isReplayed)") }
    highestSeq = max(highestSeq, seq)
  }
}

// MARK: - After a crash

extension ScriptedPublisher {
  /// Compares what its activities are now with what it sent: all that was acknowledged must have
  /// landed, and nothing without all that was sent before it. Then sends again what may be.
  ///
  /// - Parameter found: its activities, as the daemon tells them.
  func recover(from found: [String: Snapshot]) throws {
    guard let landed = landed(in: found) else {
      throw TestFailure("\(name): after \(acknowledged) answers, no way leads to \(found)")
    }
    if landed < writes.count { interruptions += 1 }
    if usesKeys {
      try repeatWrites(from: max(acknowledged - 1, 0), landed: landed)
    } else {
      writes.removeSubrange(landed...)
      present = found
    }
    acknowledged = writes.count
  }

  /// How many writes have led to what was found.
  private func landed(in found: [String: Snapshot]) -> Int? {
    var states: [String: Snapshot] = [:]
    for write in writes.prefix(acknowledged) { states[write.id] = write.result }
    for count in acknowledged...writes.count {
      if count > acknowledged { states[writes[count - 1].id] = writes[count - 1].result }
      if states == found { return count }
    }
    return nil
  }

  /// Sends writes again: those that have landed are answered as they were, the others carried out.
  private func repeatWrites(from first: Int, landed: Int) throws {
    for write in writes[first...] { try client?.sendLine(write.line) }
    for index in first..<writes.count {
      guard let line = try client?.readLine() else { throw TestFailure("it closed") }
      try check(try JSONLine(line), of: index, isReplayed: index < landed)
    }
  }
}
