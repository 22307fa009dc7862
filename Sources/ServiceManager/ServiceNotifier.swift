internal import CSystemd

/// Tells the service manager how the daemon is.
///
/// Where there is none, as when somebody started it in a terminal, every call does nothing. Nothing
/// depends on what the service manager makes of it, so no call fails. Any thread may use it. A call
/// waits if the service manager has left hundreds of messages unread, as it never does alive.
package struct ServiceNotifier: Sendable {
  package init() {}

  /// Everything is in place: clients are served, or, after `reloading`, the reload is over.
  package func ready(status: String) {
    send("READY=1", status: status)
  }

  /// What `systemctl status` shows in one line.
  package func status(_ text: String) {
    send(status: text)
  }

  /// The start goes on for up to so many seconds more, however long it has taken.
  package func extendStart(bySeconds seconds: Int, status: String) {
    send("EXTEND_TIMEOUT_USEC=\(seconds * 1_000_000)", status: status)
  }

  /// The configuration is being read again; `ready` ends it.
  ///
  /// - Parameter microseconds: now, on the monotonic clock. By it, the service manager tells this
  ///   reload from an older one.
  package func reloading(monotonicMicroseconds microseconds: Int64) {
    send("RELOADING=1", "MONOTONIC_USEC=\(microseconds)", status: "Reading the configuration")
  }

  /// The daemon is on its way out, which takes at most so many seconds.
  package func stopping(withinSeconds seconds: Int) {
    send(
      "STOPPING=1", "EXTEND_TIMEOUT_USEC=\(seconds * 1_000_000)",
      status: "Answering what was accepted, then saying bye")
  }

  /// The daemon is alive; see `Watchdog`.
  func alive() {
    send("WATCHDOG=1")
  }

  private func send(_ variables: String..., status: String? = nil) {
    var lines = variables
    // Two lines would be two variables.
    if let status { lines.append("STATUS=" + String(status.map { $0.isNewline ? " " : $0 })) }
    _ = unsafe sd_notify(0, lines.joined(separator: "\n"))
  }
}
