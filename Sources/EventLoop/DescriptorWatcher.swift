internal import CLibUV
internal import Glibc

/// A descriptor that the loop watches for something to read. It owns the descriptor, and closes it.
package class DescriptorWatcher: Handle {
  /// -1 once closed.
  private(set) final var descriptor: CInt

  /// Takes over `descriptor`, also if it throws.
  init(loop: Loop, descriptor: CInt) throws(UVError) {
    self.descriptor = descriptor
    try unsafe super.init(size: MemoryLayout<uv_poll_t>.size, "uv_poll_init") { memory in
      unsafe uv_poll_init(loop.raw, memory.assumingMemoryBound(to: uv_poll_t.self), descriptor)
    }
  }

  deinit {
    closeDescriptor()
  }

  private var raw: UnsafeMutablePointer<uv_poll_t> {
    unsafe memory.assumingMemoryBound(to: uv_poll_t.self)
  }

  final var isWatching: Bool { isActive }

  final func startWatching() {
    guard !isClosing, !isWatching else { return }
    let status = unsafe uv_poll_start(raw, CInt(bitPattern: UV_READABLE.rawValue)) {
      poll, status, _ in
      let watcher = unsafe DescriptorWatcher.owning(poll!)
      if status < 0 {
        watcher.watchingFailed(UVError(code: status, operation: "poll"))
      } else {
        watcher.becameReadable()
      }
    }
    mustSucceed(status)
  }

  final func stopWatching() {
    guard !isClosing else { return }
    mustSucceed(unsafe uv_poll_stop(raw))
  }

  /// Called each turn for as long as there is something to read.
  func becameReadable() {}

  /// Called when the descriptor is in an error state, which only sockets can be; it is then watched no
  /// more.
  func watchingFailed(_ error: UVError) {
    preconditionFailure("\(error)")
  }

  package override func close() {
    super.close()
    closeDescriptor()
  }

  private func closeDescriptor() {
    guard descriptor >= 0 else { return }
    // Whatever it answers, the descriptor is gone.
    _ = Glibc.close(descriptor)
    descriptor = -1
  }
}
