import ActivityCore
import TestSupport

/// Performs a transcript on a stage, and notes where what comes differs from what is expected.
struct TranscriptRunner {
  private let transcript: Transcript
  private let stage: any Stage
  private var participants: [String: Participant] = [:]
  private var saved: [String: String] = [:]

  /// What differed, each with file and line.
  private(set) var failures: [String] = []
  /// What would stand in the place of a line of the file, by its index, so that nothing differed.
  private(set) var corrections: [Int: [String]] = [:]

  /// The file in which nothing would differ.
  var corrected: String {
    transcript.text.enumerated().flatMap { corrections[$0.offset] ?? [$0.element] }
      .joined(separator: "\n")
  }

  private struct Participant {
    let client: any StageClient
    /// Received, but not yet told.
    var banner: String?
    /// What may be saved, as it was received last.
    var latest: [String: String] = [:]
  }

  init(_ transcript: Transcript, on stage: any Stage) {
    self.transcript = transcript
    self.stage = stage
  }

  mutating func run() {
    for (index, line) in transcript.lines.enumerated() {
      do {
        try perform(line, at: index)
      } catch {
        // What follows would only fail for the same reason.
        return fail(line.number, "\(error)")
      }
    }
    expectNothingMore(from: participants.keys.sorted(), before: transcript.text.count)
  }

  private mutating func perform(_ line: Transcript.Line, at index: Int) throws {
    switch line.step {
    case .connect(let role):
      guard participants[line.client] == nil else { throw TestFailure("it is connected already") }
      try connect(line.client, as: role, keepsBanner: transcript.expectsBanner(at: index))
    case .send(let text, let isRaw):
      let bytes = try ClientLine.bytes(of: text, isRaw: isRaw, saved: saved)
      try participant(line.client).client.send(shiftingTimes(in: bytes, by: stage.timeShift))
    case .expect(let object): try expect(object, line)
    case .expectSilence: expectNothingMore(from: [line.client], before: line.number)
    case .endOutput: try participant(line.client).client.endOutput()
    case .close:
      expectNothingMore(from: [line.client], before: line.number)
      try participant(line.client).client.close()
      participants[line.client] = nil
    case .expectClosed:
      let client = try participant(line.client).client
      guard try client.isClosedByDaemon() else {
        throw TestFailure("the daemon hasn't closed the connection of \(line.client)")
      }
      try client.close()
      participants[line.client] = nil
    case .save(let key, let word):
      guard let value = try participant(line.client).latest[key] else {
        throw TestFailure("\(line.client) has received no \(key)")
      }
      saved[word] = value
    case .restart(let span):
      expectNothingMore(from: participants.keys.sorted(), before: line.number)
      participants = [:]
      try stage.restart(downFor: span)
    case .memoryOnly: break
    case .passTime, .passTimeUntil, .stepClock, .failCommits, .limit, .requireToken:
      try stage.carryOut(line.step)
    }
  }

  private func participant(_ name: String) throws -> Participant {
    guard let participant = participants[name] else {
      throw TestFailure("\(name) isn't connected")
    }
    return participant
  }

  private mutating func connect(
    _ name: String, as role: Role, keepsBanner: Bool
  ) throws {
    let client = try stage.connect(as: role)
    guard let banner = try client.nextLine() else { throw TestFailure("no banner came") }
    participants[name] = Participant(client: client, banner: keepsBanner ? banner : nil)
  }
}

// MARK: - What comes

extension TranscriptRunner {
  private mutating func expect(_ object: String, _ line: Transcript.Line) throws {
    let expected = shiftingTimes(in: Array(object.utf8), by: stage.timeShift)
    let expectation = try Expectation(String(decoding: expected, as: UTF8.self))
    var participant = try participant(line.client)
    let next = try participant.banner ?? participant.client.nextLine()
    participant.banner = nil
    guard let next else {
      corrections[line.number - 1] = []
      return fail(line.number, "\(line.client) received nothing, not \(object)")
    }
    let received = try JSONLine(next)
    for key in ["cursor", "token"] {
      if let value = received[key]?.string { participant.latest[key] = value }
    }
    participants[line.client] = participant

    let mismatches = expectation.mismatches(with: received, stage.tolerance)
    guard !mismatches.isEmpty else { return }
    corrections[line.number - 1] = [
      "\(line.client)< \(try Expectation(object).rewritten(for: received).text)"
    ]
    fail(
      line.number,
      """
      \(line.client) received something else: \(mismatches.joined(separator: "; "))
        expected \(object)
        received \(next)
      """)
  }

  /// Notes every line that has come and that nobody expected; `number` is the line that was to be
  /// performed next.
  private mutating func expectNothingMore(from names: [String], before number: Int) {
    for name in names {
      do {
        while let line = try participant(name).client.unexpectedLine() {
          fail(number, "\(name) received what nobody expected: \(line)")
          let index = number - 1
          corrections[index, default: [transcript.text[index]]].insert(
            "\(name)< \(Expectation(expecting: try JSONLine(line)).text)", at: 0)
        }
      } catch {
        fail(number, "\(name): \(error)")
      }
    }
  }

  private mutating func fail(_ number: Int, _ message: String) {
    failures.append("\(transcript.name):\(number): \(message)")
  }
}
