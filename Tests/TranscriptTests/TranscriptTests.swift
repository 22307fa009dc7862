import Glibc
import TestSupport
import Testing

/// The conversations of `Protocol/transcripts`, held with the daemon.
@Suite("Transcripts") struct TranscriptTests {
  @Test("a transcript comes true in memory, in no time", arguments: Transcript.names)
  func comesTrueInMemory(name: String) throws {
    let transcript = try Transcript(named: name)
    var runner = TranscriptRunner(transcript, on: MemoryStage())
    runner.run()
    if unsafe getenv("TRANSCRIPT_UPDATE") != nil, !runner.corrections.isEmpty {
      try Files.write(runner.corrected, to: Transcript.folder + "/" + name)
    }
    for failure in runner.failures { Issue.record("\(failure)") }
  }

  @Test("a transcript comes true when bytes trickle", arguments: Transcript.names)
  func comesTrueTrickling(name: String) throws {
    var runner = TranscriptRunner(
      try Transcript(named: name), on: MemoryStage(trickles: true))
    runner.run()
    for failure in runner.failures { Issue.record("\(failure)") }
  }

  @Test("a transcript comes true over sockets", arguments: Transcript.namesForSockets)
  func comesTrueOverSockets(name: String) throws {
    var runner = TranscriptRunner(try Transcript(named: name), on: try SocketStage())
    runner.run()
    for failure in runner.failures { Issue.record("\(failure)") }
  }

  @Test("there are transcripts, and most can be held with a real daemon")
  func areThere() {
    #expect(Transcript.names.count > 100)
    #expect(Transcript.namesForSockets.count > Transcript.names.count / 2)
  }
}
