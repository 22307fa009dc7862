import ActivityCore
import ActivityWire
import Glibc
import TestSupport

/// A real daemon with a store of its own. Publishers and admins connect over its Unix socket,
/// where we are its own user, and devices over TCP.
final class SocketStage: Stage {
  let timeShift: Int64
  let tolerance = Tolerance.realDaemon
  private let directory: TemporaryDirectory
  private var daemon: DaemonProcess
  private var port: UInt16
  private var requiresToken = false

  init() throws {
    timeShift = Int64(time(nil)) - transcriptOrigin
    directory = try TemporaryDirectory()
    (daemon, port) = try Self.start(in: directory, requiresToken: false)
  }

  private static func start(
    in directory: TemporaryDirectory, requiresToken: Bool
  ) throws -> (daemon: DaemonProcess, port: UInt16) {
    let configuration = directory.file("activityd.conf")
    try Files.write("[Access]\nRequireToken=\(requiresToken ? "yes" : "no")\n", to: configuration)
    let daemon = try DaemonProcess([
      "--config", configuration, "--listen", "tcp:127.0.0.1:0", "--listen",
      "unix:\(directory.file("socket"))", "--state-dir", directory.file("state"),
    ])
    let addresses = try daemon.waitUntilReady()
    let port = addresses.first { $0.hasPrefix("tcp:") }?.split(separator: ":").last
    guard let port = port.flatMap({ UInt16($0) }) else {
      throw TestFailure("no port in \(addresses)")
    }
    return (daemon, port)
  }

  func connect(as role: Role) throws -> any StageClient {
    switch role {
    case .device: SocketStageClient(try LineClient(port: port), stage: self)
    case .publisher, .admin: SocketStageClient(try unixClient(), stage: self)
    }
  }

  fileprivate func unixClient() throws -> LineClient {
    try LineClient(path: directory.file("socket"))
  }

  func restart(downFor span: TimeSpan) throws {
    daemon.kill()
    (daemon, port) = try Self.start(in: directory, requiresToken: requiresToken)
  }

  func carryOut(_ step: Transcript.Step) throws {
    if case .requireToken = step {
      requiresToken = true
      return try restart(downFor: .seconds(0))
    }
    throw TestFailure("a real daemon can't be asked for this")
  }
}

private final class SocketStageClient: StageClient {
  private let client: LineClient
  private unowned let stage: SocketStage
  /// Whether a request could be sent now without falling into the middle of another.
  private var canAsk = true
  /// A `ping` without an answer yet.
  private var question: String?
  private var questionCount = 0

  init(_ client: LineClient, stage: SocketStage) {
    self.client = client
    self.stage = stage
  }

  func send(_ bytes: [UInt8]) throws {
    try client.send(bytes)
    canAsk = bytes.last == UInt8(ascii: "\n")
  }

  func nextLine() throws -> String? { try client.readLine() }

  /// Whatever the daemon had to say before comes before the answer to a `ping`.
  func unexpectedLine() throws -> String? {
    guard canAsk else { return try lineBesideAnotherClient() }
    let ref = question ?? ask()
    question = ref
    guard let line = try client.readLine() else { return nil }
    guard try JSONLine(line)["ref"]?.string == ref else { return line }
    question = nil
    return nil
  }

  private func ask() -> String {
    questionCount += 1
    let ref = "silence-\(questionCount)"
    // A client that wants no other answers wants this one. If it can't be sent since the daemon has
    // closed the connection, reading tells.
    try? client.sendLine(#"{"op":"ping","ref":"\#(ref)","reply":"all"}"#)
    return ref
  }

  /// Where nothing can be sent, another client's question is answered after what was sent before.
  private func lineBesideAnotherClient() throws -> String? {
    let other = try stage.unixClient()
    try other.sendLine(#"{"op":"ping"}"#)
    // The banner and the answer.
    for _ in 0..<2 { _ = try other.readLine() }
    return try client.arrivedLine()
  }

  func isClosedByDaemon() throws -> Bool {
    guard let line = try client.readLine() else { return true }
    throw TestFailure("not closed yet: \(line) came")
  }

  func endOutput() {
    canAsk = false
    client.endOutput()
  }

  func close() { client.close() }
}
