internal import CLibUV
internal import Glibc

/// Fires at an instant of the wall clock, and tells when that clock is set.
///
/// The kernel keeps the instant absolutely, so neither suspending the machine nor setting its clock
/// makes it late.
package final class DeadlineTimer: DescriptorWatcher {
  /// The year 2200. A timer without a deadline is armed at it, for it must notice that the clock is set.
  private static let farFuture: Int64 = 7_258_118_400_000_000

  private var deadline = DeadlineTimer.farFuture
  /// Whether arming the timer used up the news that the clock has been set.
  private var owesClockSet = false
  private var onFire: (() -> Void)?
  private var onClockSet: (() -> Void)?

  /// Makes a timer without a deadline.
  ///
  /// - Parameters:
  ///   - onFire: Called once the deadline has passed, and never before, by the wall clock.
  ///   - onClockSet: Called when the wall clock has been set, forwards or backwards. The deadline holds.
  package init(
    loop: Loop, onFire: @escaping () -> Void, onClockSet: @escaping () -> Void
  ) throws(UVError) {
    self.onFire = onFire
    self.onClockSet = onClockSet
    let descriptor = try systemCall("timerfd_create") {
      timerfd_create(CLOCK_REALTIME, CInt(TFD_NONBLOCK | TFD_CLOEXEC))
    }
    try super.init(loop: loop, descriptor: descriptor)
    set(deadline)
    startWatching()
  }

  /// Microseconds since 1970, on the clock that deadlines are of.
  package static var now: Int64 {
    var time = timespec()
    // It can't fail for this clock.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// Sets the one deadline, in microseconds since 1970, or with nil takes it away. One that has passed
  /// fires in the next turn.
  package func arm(atMicroseconds deadline: Int64?) {
    let deadline = min(deadline ?? Self.farFuture, Self.farFuture)
    guard !isClosing, deadline != self.deadline else { return }
    self.deadline = deadline
    // Else it is due at once, and set to the deadline then.
    if !owesClockSet { set(deadline) }
  }

  private func set(_ deadline: Int64) {
    // The kernel takes zero for none, and refuses what lies before.
    let microseconds = max(deadline, 1)
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(microseconds / 1_000_000)
    setting.it_value.tv_nsec = Int(microseconds % 1_000_000) * 1_000
    let flags = CInt(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
    guard unsafe timerfd_settime(descriptor, flags, &setting, nil) != 0 else { return }
    // The timer is armed, but the clock has been set unnoticed; a timer that is due at once calls
    // the handler in a turn of its own.
    precondition(errno == ECANCELED, "a timer was refused")
    owesClockSet = true
    set(1)
  }

  override func becameReadable() {
    var expirations: UInt64 = 0
    let count = unsafe read(descriptor, &expirations, MemoryLayout<UInt64>.size)
    if owesClockSet || (count < 0 && errno == ECANCELED) {
      owesClockSet = false
      // Reading took the news, and an expiry with it if there was one.
      set(deadline)
      onClockSet?()
    } else if count > 0 {
      // The timer is at rest, and goes on noticing that the clock is set.
      deadline = Self.farFuture
      onFire?()
    }
  }

  override func didClose() {
    onFire = nil
    onClockSet = nil
  }
}
