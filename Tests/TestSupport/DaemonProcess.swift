internal import Glibc

/// A real `activityd`, started by a test and killed with this object.
///
/// It is given no environment of the test's: no journal, no sockets, no home but a folder of its
/// own, and no configuration of the machine.
package final class DaemonProcess {
  /// How a process came to its end.
  package enum End: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  package let processID: Int32
  /// The lines it has written to its standard error so far, as far as they have been read.
  package private(set) var log: [String] = []
  private let errorOutput: CInt
  private var buffer = LineBuffer()
  private var end: End?

  /// Starts it.
  ///
  /// - Parameters:
  ///   - environment: `NAME=value`, each; it wins over what every daemon is given.
  ///   - entrance: What the command begins with, if it isn't the daemon itself.
  ///   - sockets: What it is passed as by a service manager, with their names.
  package init(
    _ arguments: [String], environment: [String] = [], entrance: [String] = [],
    sockets: [(descriptor: CInt, name: String)] = []
  ) throws {
    let (near, far) = try ChildProcess.pair()
    defer { close(far) }
    errorOutput = near
    var command = entrance + [Self.executable] + arguments
    var environment = environment
    if !sockets.isEmpty {
      environment += [
        "LISTEN_FDS=\(sockets.count)",
        "LISTEN_FDNAMES=\(sockets.map(\.name).joined(separator: ":"))",
      ]
      // They are for the process of a number that only the process itself knows in time.
      command = ["/bin/sh", "-c", #"LISTEN_PID=$$ exec "$0" "$@""#] + command
    }
    do {
      processID = try ChildProcess.spawn(
        command,
        environment: environment + [
          "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no", "CONFIGURATION_DIRECTORY=/nonexistent",
        ],
        errorOutput: far, further: sockets.map(\.descriptor))
    } catch {
      close(near)
      throw error
    }
  }

  deinit {
    kill()
    close(errorOutput)
  }

  /// `activityd` as it was built with the tests, beside them.
  package static var executable: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &path, path.count)
    let bytes = path.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self).split(
      separator: "/", omittingEmptySubsequences: false
    ).dropLast()
      .joined(separator: "/") + "/activityd"
  }
}

// MARK: - What it says

extension DaemonProcess {
  /// Waits until it serves; answers where it listens, as `tcp:127.0.0.1:41234` or `unix:/path`.
  package func waitUntilReady() throws -> [String] {
    let line = try waitForLine(containing: "event=ready ")
    let mark = "listening="
    guard let field = line.split(separator: " ").first(where: { $0.hasPrefix(mark) }) else {
      throw TestFailure("it doesn't say where it listens: \(line)")
    }
    return field.dropFirst(mark.count).split(separator: ",").map(String.init)
  }

  /// Reads its standard error up to a line that contains `text`.
  package func waitForLine(containing text: String) throws -> String {
    while let line = try nextLogLine() {
      if line.contains(text) { return line }
    }
    throw TestFailure("it ended without \"\(text)\"; it said:\n\(log.joined(separator: "\n"))")
  }

  private func nextLogLine() throws -> String? {
    while true {
      if let line = buffer.nextLine() {
        log.append(line)
        return line
      }
      guard try isReadable(errorOutput, within: LineClient.patience) else {
        throw TestFailure(
          "it said nothing more for \(LineClient.patience) s; so far:\n"
            + log.joined(separator: "\n"))
      }
      let said = unsafe bytes(upTo: 4_096) { unsafe read(errorOutput, $0, $1) } ?? []
      guard !said.isEmpty else { return nil }
      buffer.append(said)
    }
  }
}

// MARK: - Its end

extension DaemonProcess {
  package func signal(_ signal: Int32) {
    guard end == nil else { return }
    _ = Glibc.kill(processID, signal)
  }

  /// Waits until it has ended, having read all that it said.
  package func wait() throws -> End {
    while try nextLogLine() != nil {}
    return reap()
  }

  /// Kills it, as a crash or a loss of power would, and waits until it is gone.
  package func kill() {
    signal(SIGKILL)
    _ = reap()
  }

  private func reap() -> End {
    if let end { return end }
    let status = ChildProcess.reap(processID)
    let signal = status & 0x7f
    let end = signal == 0 ? End.exited((status >> 8) & 0xff) : .killed(signal: signal)
    self.end = end
    return end
  }
}
