import ActivityDaemon
import EventLoop
import Glibc
import TestSupport

/// A client that has no socket: what the hub writes is its to read.
final class MemoryStageClient: StageClient {
  private let transport: MemoryTransport
  private let session: Session
  private unowned let stage: MemoryStage

  init(_ transport: MemoryTransport, of session: Session, on stage: MemoryStage) {
    self.transport = transport
    self.session = session
    self.stage = stage
  }

  func send(_ bytes: [UInt8]) throws {
    guard !transport.isClosed else { throw TestFailure("the daemon has closed the connection") }
    try stage.tell { unsafe $0.received(bytes.span.bytes, from: session) }
  }

  func nextLine() -> String? { transport.lines.nextLine() }

  /// All that the daemon has to say has been said by now.
  func unexpectedLine() -> String? { nextLine() }

  func isClosedByDaemon() -> Bool { transport.hasEnded && transport.lines.isEmpty }

  func endOutput() throws {
    guard !transport.isClosed else { return }
    try stage.tell { $0.reachedEnd(session) }
  }

  /// The daemon learns of the end of our output; that nobody reads, it learns by writing.
  func close() throws {
    transport.hasReader = false
    try endOutput()
  }
}

/// The daemon's end of a connection that has no socket.
final class MemoryTransport: Transport {
  /// What was written and not read yet.
  var lines = LineBuffer()
  var hasReader = true
  /// Nothing more will be written.
  private(set) var hasEnded = false
  private(set) var isClosed = false

  let isWriting = false
  let unreadBytes = 0
  let peerAddress: String? = nil

  func tryWrite(_ slices: UnsafeBufferPointer<WriteSlice>) throws(UVError) -> Int {
    precondition(!hasEnded, "the daemon has said that nothing more comes")
    guard hasReader else { throw UVError(errno: EPIPE, operation: "write") }
    unsafe slices.forEach {
      unsafe lines.append(UnsafeRawBufferPointer(start: $0.base, count: $0.count))
    }
    return unsafe slices.byteCount
  }

  func write(_ slices: UnsafeBufferPointer<WriteSlice>, from offset: Int) throws(UVError) {
    preconditionFailure("all is taken at once")
  }

  func startReading() {}
  func stopReading() {}
  func shutdown() { hasEnded = true }

  func close() {
    hasEnded = true
    isClosed = true
  }
}
