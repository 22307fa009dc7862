import ActivityCore
import ActivityWire

/// Where a transcript is performed: a daemon in memory, or a real one.
protocol Stage: AnyObject {
  /// By how many seconds its clock is ahead of that of the transcripts.
  var timeShift: Int64 { get }
  var tolerance: Tolerance { get }

  func connect(as role: Role) throws -> any StageClient

  /// Kills the daemon and starts it again, on the same store, after so long.
  func restart(downFor span: TimeSpan) throws

  /// Carries out what concerns time, store or limits.
  func carryOut(_ step: Transcript.Step) throws
}

/// A connection to the daemon on a stage.
protocol StageClient: AnyObject {
  func send(_ bytes: [UInt8]) throws

  /// The next line; nil if none has come and none will.
  func nextLine() throws -> String?

  /// The next line if something has come that nobody expected; nil if there is silence.
  func unexpectedLine() throws -> String?

  /// Whether the daemon has closed the connection; all lines have been taken.
  func isClosedByDaemon() throws -> Bool

  func endOutput() throws
  func close() throws
}
