internal import Glibc

/// A descriptor kept back for the day when there are no more: given up for a moment, it lets those who
/// wait to be connected be told so, instead of being left without a word.
package final class ReserveDescriptor {
  /// -1 while there is none.
  private var descriptor: CInt = -1

  package init() {
    refill()
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Gives the descriptor up while `body` runs, and takes one back as soon as there is one again.
  func lend(to body: () -> Void) {
    if descriptor < 0 { refill() }
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
    body()
    refill()
  }

  private func refill() {
    descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
  }
}
