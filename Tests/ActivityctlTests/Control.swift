import TestSupport

/// `activityctl` with a daemon that it talks to.
struct Control {
  /// What it said, and how it ended.
  struct Result {
    let status: Int32
    let output: [String]
    let errors: [String]
  }

  let daemon: LocalDaemon

  init(_ options: String...) throws { daemon = try LocalDaemon(options) }

  /// The program as it was built with the tests, beside the daemon.
  static var executable: String {
    DaemonProcess.executable.dropLast("activityd".count) + "activityctl"
  }

  /// Carries out a line of the shell in which `activityctl` is the program.
  func run(_ line: String) throws -> Result {
    let errors = try TemporaryDirectory()
    let result = try Shell.run(
      """
      export ACTIVITYD_SERVER=unix:\(daemon.socketPath)
      activityctl() { \(Self.executable) "$@"; }
      { \(line)
      } 2>\(errors.file("errors"))
      """)
    return Result(
      status: result.status, output: result.lines,
      errors: try Files.read(errors.file("errors")).split(separator: "\n").map(String.init))
  }

  /// The same, of what is expected to succeed; answers its output.
  @discardableResult
  func succeed(_ line: String) throws -> [String] {
    let result = try run(line)
    guard result.status == 0, result.errors.isEmpty else {
      throw TestFailure("\(line): \(result.status): \(result.errors)")
    }
    return result.output
  }

  /// The one line of JSON that a command writes.
  func json(_ line: String) throws -> JSONLine {
    let output = try succeed("\(line) --json")
    guard output.count == 1 else { throw TestFailure("\(line): \(output)") }
    return try JSONLine(output[0])
  }
}
