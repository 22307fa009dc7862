import ActivityDaemon
import EventLoop

/// A socket whose peer decides how much it takes, and when. Lines are known to the simulation once
/// they are handed over, and to the peer once it has read so far.
final class SimulatedSocket: Transport {
  /// How many bytes it holds that the peer hasn't read.
  var capacity = Int.max
  /// Every write fails from now on.
  var isBroken = false
  /// Told the bytes that are handed over.
  var onBytes: (RawSpan) -> Void = { _ in }
  /// Told how many bytes the daemon has to keep.
  var onBuffered: (Int) -> Void = { _ in }

  private(set) var isReading = true
  private(set) var hasEnded = false
  private(set) var isClosed = false
  private(set) var isWriting = false
  /// Bytes in the socket, and those that have to wait for room in it.
  private var held = 0
  private var waiting = 0
  private(set) var readCount = 0

  var unreadBytes: Int { held + waiting }
  let peerAddress: String? = nil

  func tryWrite(_ slices: UnsafeBufferPointer<WriteSlice>) throws(UVError) -> Int {
    precondition(!hasEnded, "the daemon has said that nothing more comes")
    try checkNotBroken()
    guard !isWriting else { return 0 }
    let taken = unsafe min(capacity - min(held, capacity), slices.byteTotal)
    unsafe hand(slices, 0, taken)
    held += taken
    return taken
  }

  func write(_ slices: UnsafeBufferPointer<WriteSlice>, from offset: Int) throws(UVError) {
    try checkNotBroken()
    precondition(!isWriting, "one write is under way at a time")
    waiting = unsafe slices.byteTotal - offset
    precondition(waiting > 0, "there is nothing left to write")
    isWriting = true
    unsafe hand(slices, offset, waiting)
    onBuffered(waiting)
  }

  private func checkNotBroken() throws(UVError) {
    if isBroken { throw UVError(errno: 32, operation: "write") }
  }

  private func hand(_ slices: UnsafeBufferPointer<WriteSlice>, _ offset: Int, _ count: Int) {
    var skipped = 0
    for index in slices.indices {
      let slice = unsafe slices[index]
      let bytes = unsafe UnsafeRawBufferPointer(start: slice.base, count: slice.count)
      let first = max(0, min(bytes.count, offset - skipped))
      let end = max(0, min(bytes.count, offset + count - skipped))
      skipped += bytes.count
      if first < end { unsafe onBytes(UnsafeRawBufferPointer(rebasing: bytes[first..<end]).bytes) }
    }
  }

  func startReading() { isReading = true }
  func stopReading() { isReading = false }
  func shutdown() { hasEnded = true }

  func close() {
    hasEnded = true
    isClosed = true
  }

  /// What became of the write under way.
  enum Progress {
    case none, drained, failed
  }

  /// The peer reads, and the socket takes what waits for the room.
  func read(upTo count: Int) -> Progress {
    let taken = min(count, held)
    held -= taken
    readCount += taken
    guard isWriting, !isClosed else { return .none }
    guard !isBroken else {
      isWriting = false
      waiting = 0
      return .failed
    }
    let moved = min(capacity - min(held, capacity), waiting)
    held += moved
    waiting -= moved
    guard waiting == 0 else { return .none }
    isWriting = false
    return .drained
  }
}

extension UnsafeBufferPointer<WriteSlice> {
  fileprivate var byteTotal: Int {
    unsafe reduce(0) { unsafe $0 + $1.count }
  }
}
