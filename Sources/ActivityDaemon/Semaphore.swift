internal import Glibc

/// A count of things available, which threads wait for.
@safe final class Semaphore: Sendable {
  // Unsafe only by type: any thread may post to or wait for a sem_t, and its address never changes.
  private nonisolated(unsafe) let raw: UnsafeMutablePointer<sem_t>

  init(_ count: Int = 0) {
    unsafe raw = .allocate(capacity: 1)
    unsafe sem_init(raw, 0, CUnsignedInt(count))
  }

  deinit {
    unsafe sem_destroy(raw)
    unsafe raw.deallocate()
  }

  func post() {
    unsafe sem_post(raw)
  }

  /// Takes one, waiting until there is one.
  func wait() {
    // It fails only when a signal comes.
    while unsafe sem_wait(raw) != 0 {}
  }
}
