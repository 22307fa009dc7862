internal import CLibUV

/// Something that a loop watches, and the one rule of its life: libuv holds a pointer to the handle's
/// memory until the close callback, so an open handle keeps itself alive, and whatever its handlers
/// hold, until it is closed.
@safe
package class Handle {
  /// Begins with a `uv_handle_t`; its size is that of the kind of handle.
  let memory: UnsafeMutableRawPointer

  /// Allocates `size` bytes and lets `initialize` make them a handle of a loop.
  init(
    size: Int, _ operation: String, initialize: (UnsafeMutableRawPointer) -> CInt
  ) throws(UVError) {
    unsafe memory = .allocate(byteCount: size, alignment: 16)
    // No `uv_…_init` that fails leaves the handle with the loop.
    try UVError.check(unsafe initialize(memory), operation)
    unsafe base.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  deinit {
    unsafe memory.deallocate()
  }

  private var base: UnsafeMutablePointer<uv_handle_t> {
    unsafe memory.assumingMemoryBound(to: uv_handle_t.self)
  }

  /// Whether `close()` has been called.
  package final var isClosing: Bool { unsafe uv_is_closing(base) != 0 }

  /// Whether it has been started, and neither stopped nor closed.
  final var isActive: Bool { unsafe uv_is_active(base) != 0 }

  final var loop: Loop { unsafe Loop.owning(base.pointee.loop) }

  /// Stops and closes; any further call does nothing. Allowed in every handler.
  package func close() {
    guard !isClosing else { return }
    unsafe uv_close(base) { handle in
      let owner = unsafe Unmanaged<Handle>.fromOpaque(handle!.pointee.data).takeRetainedValue()
      owner.didClose()
    }
  }

  /// Called when the loop has let go of the handle; drops what handlers hold.
  func didClose() {}

  /// The object that owns the handle at `memory`.
  static func owning(_ memory: UnsafeMutableRawPointer) -> Self {
    let data = unsafe memory.assumingMemoryBound(to: uv_handle_t.self).pointee.data!
    let owner = unsafe Unmanaged<Handle>.fromOpaque(data).takeUnretainedValue()
    return unsafe unsafeDowncast(owner, to: Self.self)
  }
}
