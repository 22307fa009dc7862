internal import Glibc

/// Processes that tests start.
package enum ChildProcess {
  /// Starts a program; it reads nothing, and what it isn't given a descriptor for it writes to
  /// nowhere.
  ///
  /// - Parameters:
  ///   - environment: `NAME=value`, each; nothing else is passed on but what sanitizers want.
  ///   - further: Descriptors that become its 3, 4 and so on.
  static func spawn(
    _ arguments: [String], environment: [String], output: CInt? = nil, errorOutput: CInt? = nil,
    further: [CInt] = []
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output ?? 0, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, errorOutput ?? 0, 2)
    // Out of the way of the numbers that they are to have.
    let copies = further.map { fcntl($0, F_DUPFD_CLOEXEC, 128) }
    defer { for copy in copies { close(copy) } }
    let firstClosed = 3 + CInt(copies.count)
    for (target, copy) in zip(3..<firstClosed, copies) {
      unsafe posix_spawn_file_actions_adddup2(&actions, copy, target)
    }
    // Whatever other tests have open would stay open for as long as the child lives. Closing what
    // isn't open is no error here.
    for other in firstClosed..<1_024 { unsafe posix_spawn_file_actions_addclose(&actions, other) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    acceptSignals(&attributes)

    let argumentPointers = unsafe arguments.map { unsafe strdup($0) }
    let environmentPointers = unsafe (environment + sanitizing).map { unsafe strdup($0) }
    defer { unsafe (argumentPointers + environmentPointers).forEach { unsafe free($0) } }
    var processID: pid_t = 0
    let status = unsafe posix_spawn(
      &processID, arguments[0], &actions, &attributes, argumentPointers + [nil],
      environmentPointers + [nil])
    guard status == 0 else {
      throw TestFailure("\(arguments[0]): \(unsafe String(cString: strerror(status)))")
    }
    return processID
  }

  /// Where a sanitizer that the tests were built with is to tell what it finds, in children too.
  private static let sanitizing: [String] = {
    let names: [String] = ["ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"]
    return names.compactMap { name in
      unsafe getenv(name).map { unsafe "\(name)=\(String(cString: $0))" }
    }
  }()

  /// The threads that tests run on have signals blocked, and a child would inherit that.
  private static func acceptSignals(_ attributes: inout posix_spawnattr_t) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  }

  /// Waits for the end of a process; answers its wait status.
  static func reap(_ processID: pid_t) -> CInt {
    var status: CInt = 0
    while unsafe waitpid(processID, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// A pair of sockets of which no other process inherits either: with a pipe that couldn't be had
  /// at once.
  package static func pair() throws -> (near: CInt, far: CInt) {
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw TestFailure.system("socketpair")
    }
    return (ends[0], ends[1])
  }
}
