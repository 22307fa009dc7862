import ActivityDaemon
import EventLoop
import Glibc

/// A socket in memory whose reader decides how much it takes, and when.
final class MemorySocket: Transport {
  /// How many bytes it holds that the reader hasn't taken; more have to wait.
  var capacity = Int.max
  /// So many more bytes are taken, then every write fails; nil: none fails.
  var bytesUntilFailure: Int?
  private(set) var hasEnded = false
  private(set) var isClosed = false
  private(set) var isReading = true

  /// In the socket, for the reader to take.
  private var held: [UInt8] = []
  /// Given to `write`, for the socket to take.
  private var waiting: [UInt8] = []
  private(set) var isWriting = false
  /// Calls that wrote something.
  private(set) var writeCount = 0

  var unreadBytes: Int { held.count + waiting.count }
  let peerAddress: String? = nil

  func tryWrite(_ slices: UnsafeBufferPointer<WriteSlice>) throws(UVError) -> Int {
    precondition(!hasEnded, "the daemon has said that nothing more comes")
    guard !isWriting else { return 0 }
    let bytes = unsafe slices.bytes
    let taken = min(room, bytes.count)
    try take(bytes[..<taken])
    if taken > 0 { writeCount += 1 }
    return taken
  }

  func write(_ slices: UnsafeBufferPointer<WriteSlice>, from offset: Int) throws(UVError) {
    precondition(!isWriting, "one write is under way at a time")
    waiting = unsafe Array(slices.bytes[offset...])
    precondition(!waiting.isEmpty, "there is nothing left to write")
    isWriting = true
  }

  private var room: Int { max(0, capacity - held.count) }

  private func take(_ bytes: ArraySlice<UInt8>) throws(UVError) {
    guard let left = bytesUntilFailure else { return held += bytes }
    held += bytes.prefix(left)
    bytesUntilFailure = max(0, left - bytes.count)
    if bytes.count > left || left == 0 { throw UVError(errno: EPIPE, operation: "write") }
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

  /// The reader takes bytes, and the socket what waits for the room.
  func read(upTo count: Int) -> (bytes: [UInt8], progress: Progress) {
    let bytes = Array(held.prefix(count))
    held.removeFirst(bytes.count)
    return (bytes, moveOn())
  }

  private func moveOn() -> Progress {
    guard isWriting, !isClosed else { return .none }
    let taken = min(room, waiting.count)
    do {
      try take(waiting[..<taken])
    } catch {
      isWriting = false
      waiting = []
      return .failed
    }
    waiting.removeFirst(taken)
    guard waiting.isEmpty else { return .none }
    isWriting = false
    return .drained
  }
}

extension UnsafeBufferPointer<WriteSlice> {
  fileprivate var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for index in indices {
      let slice = unsafe self[index]
      unsafe bytes += UnsafeRawBufferPointer(start: slice.base, count: slice.count)
    }
    return bytes
  }
}
