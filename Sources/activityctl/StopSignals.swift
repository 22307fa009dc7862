internal import ActivityClient
internal import Glibc
internal import Synchronization

/// Signals by which a user ends what would go on. They interrupt waiting, and are asked for
/// afterwards; the second one ends the process as if nobody watched.
enum StopSignals {
  private static let come = Atomic(false)

  static func watch() {
    // So that it exists before a handler wants it.
    come.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] {
      _ = signal(number) { number in
        StopSignals.come.store(true, ordering: .relaxed)
        _ = signal(number, SIG_DFL)
      }
    }
  }

  /// Whether one has come.
  static var hasCome: Bool { come.load(ordering: .relaxed) }
}

/// Waits so long, or until a signal comes.
func pause(for time: Duration) {
  _ = poll(nil, 0, time.milliseconds)
}
