import Glibc
import TestSupport
import Testing

@Suite("A reader that stops, among many that go on,")
struct StoppedReaderTests {
  @Test("costs the daemon no memory, holds up nobody, and is right when it reads again")
  func stops() throws {
    allowManyDescriptors()
    let folder = try TemporaryDirectory()
    let socket = folder.file("socket")
    let daemon = try DaemonProcess([
      "--listen", "unix:\(socket)", "--state-dir", folder.file("state"),
    ])
    _ = try daemon.waitUntilReady()
    let publisher = try LineClient(path: socket)
    let readers = try (0..<999).map { _ in try LineClient.subscribed(path: socket) }
    let stopped = try LineClient.subscribed(path: socket)
    let filler = String(repeating: "x", count: 2_000)
    try publisher.ask(
      #"{"op":"start","id":"a","attributes-type":"T","content-state":0,"reply":"all"}"#)

    var resident: [Int] = []
    for round in 1...12 {
      for step in 1...20 {
        try publisher.ask(
          #"{"op":"update","id":"a","content-state":[\#(round),\#(step),"\#(filler)"]}"#)
      }
      // Everybody else hears of every change.
      for reader in readers { try reader.hear(upTo: #""content-state":[\#(round),20,"#) }
      resident.append(try residentBytes(of: daemon.processID))
    }
    // Full sockets are a matter of the first rounds.
    #expect(resident[11] - resident[5] < 2_000_000 || Sanitizer.isOn, "\(resident)")

    var heard = 0
    while let line = try stopped.readLine() {
      heard += 1
      if line.contains(#""content-state":[12,20,"#) { break }
    }
    #expect(heard < 200, "conflated")
    #expect(try stopped.arrivedLine() == nil)
  }
}

/// Lets this process open as many descriptors as it may.
private func allowManyDescriptors() {
  var limit = rlimit()
  unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  limit.rlim_cur = limit.rlim_max
  unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

extension LineClient {
  /// A device that sees everything, and has been told what there is.
  fileprivate static func subscribed(path: String) throws -> LineClient {
    let client = try LineClient(path: path)
    try client.sendLine(#"{"op":"subscribe","all":true}"#)
    try client.hear(upTo: #""event":"synced""#)
    return client
  }

  /// Reads to the line that contains `text`.
  fileprivate func hear(upTo text: String) throws {
    while let line = try readLine() {
      if line.contains(text) { return }
    }
    throw TestFailure("the daemon closed the connection before \(text)")
  }

  fileprivate func ask(_ line: String) throws {
    try sendLine(line)
    try hear(upTo: #"{"ok":""#)
  }
}
