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
    try stage.receive(bytes, from: session)
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
  /// How many bytes of a write are taken at once.
  private let roomForWrites: Int
  /// The others.
  private var written: [UInt8] = []

  init(roomForWrites: Int) { self.roomForWrites = roomForWrites }

  let peerAddress: String? = nil
  var isWriting: Bool { !written.isEmpty }
  var unreadBytes: Int { written.count }

  func tryWrite(_ slices: UnsafeBufferPointer<WriteSlice>) throws(UVError) -> Int {
    precondition(!hasEnded, "the daemon has said that nothing more comes")
    guard hasReader else { throw UVError(errno: EPIPE, operation: "write") }
    let taken = unsafe slices.gathered.prefix(roomForWrites)
    lines.append(taken)
    return taken.count
  }

  func write(_ slices: UnsafeBufferPointer<WriteSlice>, from offset: Int) throws(UVError) {
    precondition(!isWriting, "one write at a time")
    written = unsafe Array(slices.gathered.dropFirst(offset))
  }

  /// Takes the rest of a write; answers whether anybody reads it.
  func takeWritten() -> Bool {
    if hasReader { lines.append(written) }
    written = []
    return hasReader
  }

  func startReading() {}
  func stopReading() {}
  func shutdown() { hasEnded = true }

  func close() {
    hasEnded = true
    isClosed = true
  }
}

extension UnsafeBufferPointer<WriteSlice> {
  fileprivate var gathered: [UInt8] {
    unsafe flatMap { unsafe UnsafeRawBufferPointer(start: $0.base, count: $0.count) }
  }
}
