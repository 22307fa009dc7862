import TestSupport
import Testing

/// What the runner makes of transcripts that aren't true.
@Suite("Runner") struct RunnerTests {
  private func run(_ text: String) throws -> TranscriptRunner {
    var runner = TranscriptRunner(try Transcript(name: "t", text: text), on: MemoryStage())
    runner.run()
    return runner
  }

  @Test(
    "a transcript fails in the line that isn't true",
    arguments: [
      (
        "connect a device\na> {\"op\":\"ping\"}\na< {\"ok\":\"pong\",...}",
        "t:3: a received something"
      ),
      ("connect a device\na< {\"event\":\"welcome\"}", "t:2: a received something"),
      ("connect a device\na< {\"ok\":\"ping\"}", "t:2: a received nothing"),
      ("connect a device\na> {\"op\":\"ping\"}\na<", "t:3: a received what nobody"),
      ("connect a device\na> {\"op\":\"ping\"}", "t:2: a received what nobody"),
      ("connect a device\na> {\"op\":\"ping\"}\nrestart", "t:3: a received what nobody"),
      ("connect a device\nclosed a", "t:2: the daemon hasn't closed"),
      ("connect a device\nsave a cursor C", "t:2: a has received no cursor"),
      ("a> {\"op\":\"ping\"}", "t:1: a isn't connected"),
      ("limit Nothing 1", "t:1: there is no limit"),
    ])
  func fails(text: String, failure: String) throws {
    let failures = try run(text).failures
    #expect(failures.count == 1)
    #expect(failures.first?.hasPrefix(failure) ?? false, "\(failures)")
  }

  @Test(
    "a line that isn't understood is no transcript", arguments: ["connct a device", "a <", "@ 3x"])
  func misunderstood(line: String) {
    #expect(throws: TestFailure.self) { try Transcript(name: "t", text: line) }
  }

  @Test("the example that explains transcripts comes true")
  func example() throws {
    let page = try Files.read(Transcript.folder + "/README.md").split(separator: "```\n")
    #expect(try run(String(page[1])).failures == [])
  }

  @Test("a transcript that was corrected comes true")
  func correction() throws {
    let wrong = """
      # kept
      connect a publisher
      a> {"op":"start","id":"x","attributes-type":"T","content-state":1}
      a< {"ok":*,"version":7,"nothing":1,...}
      a> {"op":"get","id":"x"}
      a> {"op":"ping"}
      a< {"ok":"get","activity":{"version":3,...}}
      a< {"ok":"ping","now":1800000000,"seq":1}
      a< {"event":"synced"}

      """
    let runner = try run(wrong)
    #expect(runner.failures.count == 3)
    let expected = """
      # kept
      connect a publisher
      a> {"op":"start","id":"x","attributes-type":"T","content-state":1}
      a< {"ok":*,"version":1,...}
      a> {"op":"get","id":"x"}
      a> {"op":"ping"}
      a< {"ok":"get","activity":{"version":1,...}}
      a< {"ok":"ping","now":1800000000,"seq":1}

      """
    #expect(runner.corrected == expected)
    #expect(try run(expected).failures == [])
  }
}
