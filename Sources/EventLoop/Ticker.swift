internal import CLibUV

/// A timer on the monotonic clock, for what is said in spans: timeouts, retries, intervals.
/// It stands still while the machine is suspended.
package final class Ticker: Handle {
  private var onTick: (() -> Void)?

  /// Makes a ticker, not started.
  package init(loop: Loop, onTick: @escaping () -> Void) throws(UVError) {
    self.onTick = onTick
    try unsafe super.init(size: MemoryLayout<uv_timer_t>.size, "uv_timer_init") { memory in
      unsafe uv_timer_init(loop.raw, memory.assumingMemoryBound(to: uv_timer_t.self))
    }
  }

  private var raw: UnsafeMutablePointer<uv_timer_t> {
    unsafe memory.assumingMemoryBound(to: uv_timer_t.self)
  }

  /// Whether a tick is to come.
  package var isStarted: Bool { isActive }

  /// Ticks once after `delay` milliseconds and then, unless it is 0, every `interval` milliseconds;
  /// whatever was started before is forgotten.
  package func start(afterMilliseconds delay: UInt64, everyMilliseconds interval: UInt64 = 0) {
    guard !isClosing else { return }
    // The loop's clock stands at the beginning of the turn; the delay counts from now.
    unsafe uv_update_time(loop.raw)
    let status = unsafe uv_timer_start(
      raw, { unsafe Ticker.owning($0!).onTick?() }, delay, interval)
    mustSucceed(status)
  }

  /// Ticks no more, until started again.
  package func stop() {
    mustSucceed(unsafe uv_timer_stop(raw))
  }

  override func didClose() {
    onTick = nil
  }
}
