import ActivityDaemon
import ActivityWire
import TestSupport

/// One connection, from its other end.
final class Client {
  let party: Party
  let socket: SimulatedSocket
  let session: Session
  /// Sent, but not yet read by the daemon.
  private var outgoing: [UInt8] = []
  private var cut = LineBuffer()
  /// Where the last line that was cut out ended.
  private var lineEnd = 0
  /// Handed to the socket, with what was durable then; the simulation hasn't looked at them.
  private var told: [(text: String, end: Int, durable: Int64)] = []
  /// Not read yet.
  private var unheard: [(line: Line, end: Int)] = []
  private var buffered = 0
  var hasEndedOutput = false
  private var reportedEnd = false
  /// The reason of the `bye` that it was told.
  var farewell: String?
  /// What it sends arrives in pieces.
  var isFragmenting = false
  /// It has said that it will be gone after the answer.
  var asksNoMore = false
  /// Nobody is at the other end any more.
  var isAbandoned = false
  private(set) var isSynced = false

  init(_ party: Party, socket: SimulatedSocket, session: Session) {
    self.party = party
    self.socket = socket
    self.session = session
  }

  /// - Parameter durable: the seq up to which everything is on disk at that moment.
  func take(_ bytes: RawSpan, durable: Int64) {
    unsafe bytes.withUnsafeBytes { unsafe cut.append($0) }
    while let text = cut.nextLine() {
      lineEnd += text.utf8.count + 1
      told.append((text, lineEnd, durable))
    }
  }

  func noteBuffered(_ bytes: Int) { buffered = max(buffered, bytes) }

  func takeBuffered() -> Int {
    defer { buffered = 0 }
    return buffered
  }

  func takeTold() throws -> [(line: Line, durable: Int64)] {
    defer { told.removeAll() }
    return try told.map { text, end, durable in
      let line = try Line(text)
      unheard.append((line, end))
      if line.event == "bye" { farewell = line.reason }
      if line.event == "synced" { isSynced = true }
      return (line, durable)
    }
  }

  func takeHeard() -> [Line] {
    let count = unheard.prefix { $0.end <= socket.readCount }.count
    defer { unheard.removeFirst(count) }
    return unheard[..<count].map(\.line)
  }

  /// What was told and read at once.
  func takeBoth() throws -> [Line] {
    _ = try takeTold()
    return takeHeard()
  }

  func send(_ line: String) { outgoing += Array((line + "\n").utf8) }

  /// Lets the daemon read what was sent; answers whether it read anything.
  func deliver(upTo count: Int, to hub: Hub) -> Bool {
    guard socket.isReading, !socket.isClosed else { return false }
    let taken = min(count, outgoing.count)
    if taken > 0 {
      let chunk = Array(outgoing[..<taken])
      outgoing.removeFirst(taken)
      unsafe hub.received(chunk.span.bytes, from: session)
      return true
    }
    if hasEndedOutput, !reportedEnd {
      reportedEnd = true
      hub.reachedEnd(session)
      return true
    }
    return false
  }

  /// Reads what has come; answers whether the daemon noticed.
  func read(upTo count: Int, from hub: Hub) -> Bool {
    switch socket.read(upTo: count) {
    case .none: return false
    case .drained: hub.drained(session)
    case .failed: hub.writeFailed(session)
    }
    return true
  }
}
