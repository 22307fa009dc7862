internal import CLibUV
internal import Glibc

/// Turns a signal to the process into a call on the loop's thread.
package final class SignalWatcher: Handle {
  private var onSignal: (() -> Void)?

  /// Watches `signal`, as `SIGTERM`, from now on; its default action no longer happens.
  package init(loop: Loop, signal: CInt, onSignal: @escaping () -> Void) throws(UVError) {
    self.onSignal = onSignal
    try unsafe super.init(size: MemoryLayout<uv_signal_t>.size, "uv_signal_init") { memory in
      unsafe uv_signal_init(loop.raw, memory.assumingMemoryBound(to: uv_signal_t.self))
    }
    let status = unsafe uv_signal_start(
      memory.assumingMemoryBound(to: uv_signal_t.self),
      { watcher, _ in unsafe SignalWatcher.owning(watcher!).onSignal?() }, signal)
    guard status == 0 else {
      close()
      throw UVError(code: status, operation: "uv_signal_start")
    }
  }

  override func didClose() {
    onSignal = nil
  }

  /// Keeps a signal back until `deliver`, where it would otherwise end the process. To be called while
  /// there is but one thread.
  package static func hold(_ signal: CInt) { mask(signal, SIG_BLOCK) }

  /// Lets a signal come that was kept back, one that came meanwhile too.
  package static func deliver(_ signal: CInt) { mask(signal, SIG_UNBLOCK) }

  private static func mask(_ signal: CInt, _ change: CInt) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, signal)
    unsafe pthread_sigmask(change, &signals, nil)
  }

  /// Makes a write to a connection that its peer has closed fail with `EPIPE`, where it would
  /// otherwise end the process. To be called once, before the first connection.
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }
}
