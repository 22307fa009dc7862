internal import CSystemd

/// Keeps the service manager from killing a daemon that works, and lets it kill one that hangs.
///
/// It is fed on the loop's thread, which shows that the loop turns, and only while the thread behind
/// the loop isn't stuck either: a job that was under way at one feed may still be under way at the
/// next, but then that feed is left out, and so are all until the job is done.
package struct Watchdog {
  /// How far a thread has come with its jobs.
  package struct Progress: Equatable, Sendable {
    package var accepted: Int
    package var finished: Int

    package init(accepted: Int, finished: Int) {
      self.accepted = accepted
      self.finished = finished
    }

    var isIdle: Bool { accepted == finished }
  }

  /// How often to feed it: a quarter of the time after which the service manager loses patience, in
  /// milliseconds.
  package let intervalMilliseconds: UInt64
  private let notifier: ServiceNotifier
  private var last = Progress(accepted: 0, finished: 0)

  /// Nil if the service manager watches nothing, or another process.
  package init?(notifier: ServiceNotifier) {
    var patience: UInt64 = 0
    guard unsafe sd_watchdog_enabled(0, &patience) > 0 else { return nil }
    self.notifier = notifier
    intervalMilliseconds = max(patience / 4_000, 1)
  }

  package mutating func feed(_ progress: Progress) {
    if !Self.isStuck(progress, since: last) { notifier.alive() }
    last = progress
  }

  /// Whether nothing was finished since an earlier look, though there was something to do.
  static func isStuck(_ progress: Progress, since last: Progress) -> Bool {
    !last.isIdle && progress.finished == last.finished
  }
}
