internal import Glibc

/// A real `activityd`, started by a test and killed with this object.
///
/// It is given no environment of the test's: no journal, no sockets, no home but a folder of its
/// own.
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
  /// - Parameter environment: `NAME=value`, each.
  package init(_ arguments: [String], environment: [String] = []) throws {
    // Unlike a pipe, a pair of sockets can be made so that no other process inherits it.
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw TestFailure.system("socketpair")
    }
    defer { close(ends[1]) }
    errorOutput = ends[0]
    do {
      processID = try Self.spawn(
        [Self.executable] + arguments,
        environment: ["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"] + environment,
        errorOutput: ends[1])
    } catch {
      close(ends[0])
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

  private static func spawn(
    _ arguments: [String], environment: [String], errorOutput: CInt
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, errorOutput, 2)
    // Whatever other tests have open would stay open for as long as the daemon lives. Closing what
    // isn't open is no error here.
    for other in CInt(3)..<1_024 { unsafe posix_spawn_file_actions_addclose(&actions, other) }

    let argumentPointers = unsafe arguments.map { unsafe strdup($0) }
    let environmentPointers = unsafe environment.map { unsafe strdup($0) }
    defer { unsafe (argumentPointers + environmentPointers).forEach { unsafe free($0) } }
    var processID: pid_t = 0
    let status = unsafe posix_spawn(
      &processID, arguments[0], &actions, nil, argumentPointers + [nil], environmentPointers + [nil]
    )
    guard status == 0 else {
      throw TestFailure("\(arguments[0]): \(unsafe String(cString: strerror(status)))")
    }
    return processID
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
    var status: CInt = 0
    while unsafe waitpid(processID, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7f
    let end = signal == 0 ? End.exited((status >> 8) & 0xff) : .killed(signal: signal)
    self.end = end
    return end
  }
}
