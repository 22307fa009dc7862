import EventLoop
import Glibc

/// A delegate that notes what it is told, and does what a test wants done then.
final class Recorder: StreamDelegate {
  enum Event: Equatable {
    case received
    case end
    case failed(String)
    case drained
    case writeFailed(String)
    case closed
  }

  /// All bytes received.
  private(set) var bytes: [UInt8] = []
  /// How many bytes each read brought.
  private(set) var reads: [Int] = []
  /// All other events.
  private(set) var events: [Event] = []
  /// What is to be done at an event.
  var react: (Event) -> Void = { _ in }

  private func note(_ event: Event) {
    if event != .received { events.append(event) }
    react(event)
  }

  func streamReceived(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe self.bytes.append(contentsOf: $0) }
    reads.append(bytes.byteCount)
    note(.received)
  }

  func streamReachedEnd() { note(.end) }
  func streamFailed(_ error: UVError) { note(.failed(error.name)) }
  func streamDrained() { note(.drained) }
  func streamWriteFailed(_ error: UVError) { note(.writeFailed(error.name)) }

  func streamClosed() {
    note(.closed)
    // It holds the recorder as a rule.
    react = { _ in }
  }
}

/// One end of a connection in a loop, and what came of it.
struct End {
  let stream: Stream
  let recorder = Recorder()

  init(_ stream: Stream) {
    self.stream = stream
    stream.delegate = recorder
  }
}

extension Loop {
  /// Both ends of a connection over Unix sockets; neither is reading.
  func connectedEnds() throws -> (End, End) {
    let (one, other) = socketPair()
    return (
      End(try Stream(loop: self, adopting: one, kind: .unix)),
      End(try Stream(loop: self, adopting: other, kind: .unix))
    )
  }

  /// Closes all that is still open, and then the loop, which must succeed.
  func closeWithHandles() throws {
    closeAll()
    run()
    try close()
  }
}

extension Stream {
  /// Tries to write `bytes`; answers how many were taken.
  func tryWrite(_ bytes: [UInt8]) throws -> Int {
    try unsafe bytes.withUnsafeBytes { bytes in
      try unsafe withSlices([WriteSlice(bytes)]) { try unsafe tryWrite($0) }
    }
  }

  /// Writes all of `bytes`; answers whether the socket took them at once.
  @discardableResult
  func writeAll(_ bytes: [UInt8]) throws -> Bool {
    try unsafe bytes.withUnsafeBytes { bytes in
      try unsafe withSlices([WriteSlice(bytes)]) { slices in
        let taken = try unsafe tryWrite(slices)
        if taken < bytes.count { try unsafe write(slices, from: taken) }
        return taken == bytes.count
      }
    }
  }
}

@unsafe
func withSlices<Result>(
  _ slices: [WriteSlice], _ body: (UnsafeBufferPointer<WriteSlice>) throws -> Result
) rethrows -> Result {
  try unsafe slices.withUnsafeBufferPointer { try unsafe body($0) }
}

/// Two connected Unix sockets that block.
func socketPair() -> (CInt, CInt) {
  // The default action would end all tests.
  SignalWatcher.ignoreBrokenPipes()
  var descriptors: [CInt] = [-1, -1]
  let status = unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &descriptors)
  precondition(status == 0, "no socket pair")
  return (descriptors[0], descriptors[1])
}

/// Bytes that show if one is missing or out of place.
func pattern(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}

/// A thread of its own for `body`.
struct TestThread {
  private let thread: pthread_t

  init(_ body: @escaping @Sendable () -> Void) {
    final class Body: Sendable {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    var thread = pthread_t()
    let status = unsafe pthread_create(
      &thread, nil,
      { argument in
        unsafe Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(Body(body)).toOpaque())
    precondition(status == 0, "no thread")
    self.thread = thread
  }

  func join() {
    pthread_join(thread, nil)
  }
}
