internal import CLibUV

/// The event loop: waits for descriptors, timers, signals and other threads, and calls their handlers,
/// one at a time, all on the thread that calls `run()`.
///
/// Nothing of this module but `UVError`, `ListenAddress` and a waker's sender may be touched by another
/// thread; the compiler sees to it, since none of it is `Sendable`.
@safe
package final class Loop {
  let raw: UnsafeMutablePointer<uv_loop_t>
  private let turnEnd: UnsafeMutablePointer<uv_prepare_t>
  private let readBuffer: UnsafeMutableRawBufferPointer
  /// The stream whose last read filled the read buffer, if one did.
  private var filler: UnsafeMutablePointer<uv_stream_t>?
  private var isOpen = false
  private var turns = TurnTimes()

  /// Called once a turn, before the loop waits for what comes next.
  package var onTurnEnd: (() -> Void)?

  /// Opens a loop. It must be closed before it is released.
  package init() throws(UVError) {
    unsafe raw = .allocate(capacity: 1)
    unsafe turnEnd = .allocate(capacity: 1)
    unsafe readBuffer = .allocate(byteCount: 65_536, alignment: 16)
    try UVError.check(unsafe uv_loop_init(raw), "uv_loop_init")
    isOpen = true
    unsafe raw.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    mustSucceed(unsafe loop_measure_idle_time(raw))
    mustSucceed(unsafe uv_prepare_init(raw, turnEnd))
    mustSucceed(
      unsafe uv_prepare_start(turnEnd) { prepare in
        unsafe Loop.owning(prepare!.pointee.loop).endTurn()
      })
    // It has no owner as other handles have.
    unsafe turnEnd.pointee.data = nil
    // The hook alone is no reason to go on running.
    unsafe uv_unref(turnEndHandle)
  }

  deinit {
    precondition(!isOpen, "a loop must be closed before it is released")
    unsafe readBuffer.deallocate()
    unsafe turnEnd.deallocate()
    unsafe raw.deallocate()
  }

  /// Runs until nothing is left to wait for, or until `stop()`; answers whether something is left.
  @discardableResult
  package func run() -> Bool {
    unsafe turns.begin(raw)
    return unsafe uv_run(raw, UV_RUN_DEFAULT) != 0
  }

  /// Makes `run()` return at the end of this turn; `onTurnEnd` isn't called once more.
  package func stop() {
    unsafe uv_stop(raw)
  }

  /// Closes every handle of the loop that is still open.
  package func closeAll() {
    unsafe uv_walk(
      raw,
      { handle, _ in
        guard let owner = unsafe handle!.pointee.data else { return }
        unsafe Unmanaged<Handle>.fromOpaque(owner).takeUnretainedValue().close()
      }, nil)
  }

  /// Closes the loop itself; must not be called by a handler.
  ///
  /// - Throws: `EBUSY` if a handle is open; `onTurnEnd` is then called no more, and once all handles are
  ///   closed the loop can be closed.
  package func close() throws(UVError) {
    if unsafe uv_is_closing(turnEndHandle) == 0 { unsafe uv_close(turnEndHandle, nil) }
    // One turn, for the close callbacks that are still to come.
    unsafe uv_run(raw, UV_RUN_NOWAIT)
    try UVError.check(unsafe uv_loop_close(raw), "uv_loop_close")
    isOpen = false
  }

  /// Monotonic milliseconds, read once a turn.
  package var now: UInt64 { unsafe uv_now(raw) }

  /// How long the last turn worked, its `onTurnEnd` included and its waiting not, in nanoseconds.
  package var lastTurnNanoseconds: UInt64 { turns.last }

  /// The longest turn's work since the start or the last `resetLongestTurn()`, in nanoseconds.
  package var longestTurnNanoseconds: UInt64 { turns.longest }

  /// Forgets the longest turn.
  package func resetLongestTurn() {
    turns.longest = 0
  }

  private var turnEndHandle: UnsafeMutablePointer<uv_handle_t> {
    unsafe UnsafeMutableRawPointer(turnEnd).assumingMemoryBound(to: uv_handle_t.self)
  }

  private func endTurn() {
    onTurnEnd?()
    unsafe turns.end(raw)
  }
}

extension Loop {
  static func owning(_ raw: UnsafeMutablePointer<uv_loop_t>) -> Loop {
    unsafe Unmanaged<Loop>.fromOpaque(raw.pointee.data).takeUnretainedValue()
  }

  /// Lends the one read buffer that all streams share; each empties it before the next asks.
  ///
  /// libuv reads on, up to 32 times, while reads fill the buffer. The second time it is declined, which
  /// ends the stream's turn, so that one flooding sender can't keep all others waiting.
  func lendReadBuffer(to stream: UnsafeMutablePointer<uv_stream_t>) -> uv_buf_t {
    let isFlooded = unsafe filler == stream
    unsafe filler = nil
    guard !isFlooded else { return unsafe uv_buf_t(base: nil, len: 0) }
    let base = unsafe readBuffer.baseAddress!.assumingMemoryBound(to: CChar.self)
    return unsafe uv_buf_t(base: base, len: readBuffer.count)
  }

  /// Notes that `stream` read `count` bytes into the read buffer.
  func readBufferWasUsed(by stream: UnsafeMutablePointer<uv_stream_t>, count: Int) {
    unsafe filler = count == readBuffer.count ? stream : nil
  }
}

/// How long turns work: the time since the end of the turn before, less what the loop slept.
private struct TurnTimes {
  var last: UInt64 = 0
  var longest: UInt64 = 0
  private var endOfLast: UInt64 = 0
  private var idleAtEndOfLast: UInt64 = 0

  mutating func begin(_ loop: UnsafeMutablePointer<uv_loop_t>) {
    endOfLast = uv_hrtime()
    idleAtEndOfLast = unsafe uv_metrics_idle_time(loop)
  }

  mutating func end(_ loop: UnsafeMutablePointer<uv_loop_t>) {
    let elapsedFrom = endOfLast
    let idleFrom = idleAtEndOfLast
    unsafe begin(loop)
    last = endOfLast - elapsedFrom - (idleAtEndOfLast - idleFrom)
    longest = max(longest, last)
  }
}

/// For calls that fail only if this module uses them wrongly.
func mustSucceed(_ status: CInt) {
  precondition(status >= 0, "libuv refused what it can't refuse, with status \(status)")
}
