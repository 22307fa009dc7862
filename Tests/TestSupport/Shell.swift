internal import Glibc

/// What a user types.
package enum Shell {
  package struct Result {
    /// The exit status; 128 and more if a signal ended it.
    package let status: Int32
    /// What it wrote to its standard output.
    package let output: String

    package var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// Carries out a script with bash, and gives up on it after a minute.
  package static func run(_ script: String) throws -> Result {
    let (near, far) = try ChildProcess.pair()
    defer { close(near) }
    let processID: pid_t
    do {
      defer { close(far) }
      processID = try ChildProcess.spawn(
        ["/usr/bin/timeout", "60", "/bin/bash", "-c", script],
        environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"], output: far)
    }
    var output: [UInt8] = []
    while let more = unsafe bytes(upTo: 65_536, from: { unsafe read(near, $0, $1) }), !more.isEmpty
    {
      output += more
    }
    let status = ChildProcess.reap(processID)
    let signal = status & 0x7f
    return Result(
      status: signal == 0 ? (status >> 8) & 0xff : 128 + signal,
      output: String(decoding: output, as: UTF8.self))
  }
}
