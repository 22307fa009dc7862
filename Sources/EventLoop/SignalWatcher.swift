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

  /// Makes a write to a connection that its peer has closed fail with `EPIPE`, where it would
  /// otherwise end the process. To be called once, before the first connection.
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }
}
