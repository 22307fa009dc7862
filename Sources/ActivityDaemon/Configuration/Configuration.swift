package import ActivityCore
package import Cryptography
package import EventLoop

/// Everything that a daemon is started with.
package struct Configuration: Sendable {
  /// The files that it was read from, in that order.
  package var files: [String] = []
  /// Where to listen; empty for the defaults.
  package var listen: [ListenAddress] = []
  /// Where TLS is spoken.
  package var listenTLS: [ListenAddress] = []
  package var stateDirectory: String?
  /// How long a stop may take before connections are cut.
  package var stopWithin = TimeSpan.seconds(5)
  /// How many times as fast as the machine's the activities' clock runs.
  package var timeScale = 1
  /// Begin a new epoch: the store is a copy that was made otherwise than by a backup.
  package var beginsNewEpoch = false
  /// The role of connections over TCP from this machine.
  package var loopbackRole = Role.device
  /// Who are publishers, and who are admins, over the Unix socket.
  package var publishers: [Account] = []
  package var admins: [Account] = []
  /// Whether nothing may be done over TCP before a token is shown.
  package var requiresToken = false
  /// Whether other machines may connect without a token or without TLS.
  package var allowsInsecure = false
  package var securityFiles = SecurityFiles()
  /// Made of these files as they were when the configuration was read; nil if there are none.
  package var security: SecurityContext?
  package var certificateRoles: [CertificateRole] = []
  package var limits = Limits()

  package init() {}

  /// What `--check-config` says of one that can be run with.
  package var summary: String {
    files.isEmpty
      ? "There is no configuration file; the defaults hold."
      : "Nothing is wrong with \(files.joined(separator: ", "))."
  }
}
