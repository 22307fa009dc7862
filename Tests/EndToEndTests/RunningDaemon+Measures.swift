import Glibc
import TestSupport

extension RunningDaemon {
  /// Carries out a shell script that knows where the daemon listens: `$PORT` and `$SOCKET`.
  func type(_ script: String) throws -> Shell.Result {
    try Shell.run("PORT=\(port) SOCKET=\(socketPath)\n\(script)")
  }

  /// Asks until so many changes are visible.
  func waitForSeq(_ seq: Int) throws {
    let client = try device()
    for _ in 0..<LineClient.patience * 1_000 {
      let answer = try client.order(#"{"op":"ping"}"#)
      if let now = answer["seq"]?.integer, now >= seq { return }
      usleep(1_000)
    }
    throw TestFailure("it never came to seq \(seq)")
  }

  /// What it has open.
  var descriptors: [String] { Files.names(in: "/proc/\(process.processID)/fd") }

  /// What it keeps in memory, in bytes.
  var residentBytes: Int {
    get throws { try TestSupport.residentBytes(of: process.processID) }
  }
}
