package import ActivityCore
package import ActivityWire
package import EventLoop
internal import Glibc

/// Everything that a daemon is started with.
package struct Configuration: Sendable {
  /// Where to listen; empty for the defaults.
  package var listen: [ListenAddress] = []
  package var stateDirectory: String?
  /// The role of connections over TCP from this machine.
  package var loopbackRole = Role.device
  /// How many times as fast as the machine's the activities' clock runs.
  package var timeScale = 1
  /// Begin a new epoch: the store is a copy that was made otherwise than by a backup.
  package var beginsNewEpoch = false
  package var limits = Limits()
  /// How long a stop may take before connections are cut, in milliseconds.
  package var stopMilliseconds: UInt64 = 5_000

  package init() {}
}

/// Where a daemon keeps its files, by the conventions of systemd and of the XDG base directories.
enum Places {
  /// `$STATE_DIRECTORY` of a service, else the user's own.
  static func stateDirectory() -> String? {
    if let directory = variable("STATE_DIRECTORY") { return directory }
    if let home = variable("XDG_STATE_HOME") { return home + "/activityd" }
    return variable("HOME").map { $0 + "/.local/state/activityd" }
  }

  /// The folder of the Unix socket, made if need be.
  static func runtimeDirectory() -> String {
    if let directory = variable("RUNTIME_DIRECTORY") { return directory }
    let directory =
      variable("XDG_RUNTIME_DIR").map { $0 + "/activityd" }
      ?? (variable("TMPDIR") ?? "/tmp") + "/activityd-\(getuid())"
    _ = unsafe mkdir(directory, 0o700)
    return directory
  }

  /// Whether a folder is this user's and nobody else may write to it: in a temporary directory
  /// somebody else could have made it.
  static func isOurs(_ directory: String) -> Bool {
    var status = stat()
    guard unsafe lstat(directory, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == getuid()
      && status.st_mode & 0o022 == 0
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }
}
