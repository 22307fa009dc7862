internal import ActivityWire

/// A socket over which lines go out and messages come in.
final class LineChannel {
  private let socket: Socket
  private var framer = LineFramer(lineBytesMax: 1 << 24)
  private let reader = JSONReader()
  /// What has come and wasn't asked for yet.
  private var messages: ArraySlice<Message> = []
  private var hasEnded = false

  init(_ address: ServerAddress, within: Duration) throws(SystemError) {
    socket = try Socket.connect(to: address, within: within)
  }

  var descriptor: CInt { socket.descriptor }

  /// Sends bytes, and meanwhile takes in what comes: the daemon reads no further while its answers
  /// aren't read.
  func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(ClientError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard !hasEnded else { throw .lost(reason: "the daemon has closed it") }
      do throws(SystemError) {
        rest = rest.dropFirst(try socket.send(rest))
      } catch {
        throw .lost(reason: error.reason)
      }
      guard !rest.isEmpty else { return }
      switch socket.wait(until: deadline, toWrite: true) {
      case .readable: try receive()
      case .writable, .interrupted: break
      case .timedOut: throw .timedOut
      }
    }
  }

  /// The next message. Nil if none comes in time, or if a signal or the other descriptor
  /// interrupts the waiting.
  func nextMessage(
    until deadline: ContinuousClock.Instant?, or other: CInt? = nil
  ) throws(ClientError) -> Message? {
    while true {
      if let message = messages.popFirst() { return message }
      guard !hasEnded else { throw .lost(reason: "the daemon has closed it") }
      guard socket.wait(until: deadline, or: other) == .readable else { return nil }
      try receive()
    }
  }

  private func receive() throws(ClientError) {
    var chunk: [UInt8] = []
    do throws(SystemError) {
      hasEnded = try !socket.receive(into: &chunk)
    } catch {
      throw .lost(reason: error.reason)
    }
    var position = 0
    while let frame = unsafe framer.next(in: chunk.span.bytes, from: &position) {
      switch frame {
      case .line(let range): try take(Array(chunk[range]))
      case .gathered(let line): try take(line)
      case .tooLong: throw .notUnderstood("a line without an end")
      }
    }
  }

  private func take(_ line: [UInt8]) throws(ClientError) {
    guard let object = reader.object(line) else {
      throw .notUnderstood(String(decoding: line.prefix(200), as: UTF8.self))
    }
    if let message = Message(object) { messages.append(message) }
  }
}
