internal import Glibc

/// Where a daemon's files are, by the conventions of systemd and of the XDG base directories.
enum Places {
  /// The configuration that is read if none is named.
  static func configurationFile() -> String {
    (variable("CONFIGURATION_DIRECTORY") ?? "/etc/activityd") + "/activityd.conf"
  }

  /// `$STATE_DIRECTORY` of a service, else the user's own.
  static func stateDirectory() -> String? {
    if let directory = variable("STATE_DIRECTORY") { return directory }
    if let home = absolute("XDG_STATE_HOME") { return home + "/activityd" }
    return variable("HOME").map { $0 + "/.local/state/activityd" }
  }

  /// The folder of the Unix socket, made if need be.
  static func runtimeDirectory() -> String {
    if let directory = variable("RUNTIME_DIRECTORY") { return directory }
    let directory =
      absolute("XDG_RUNTIME_DIR").map { $0 + "/activityd" }
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

  /// The folder that an XDG variable names. By their specification a relative one is to be ignored.
  private static func absolute(_ name: String) -> String? {
    variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }
}
