internal import ActivityCore
internal import Cryptography
internal import EventLoop

/// The TLS handshakes under way: limited in number, in time, and in their share of a turn.
///
/// Theory of operation. `.ci/tls` measured the processor time of a handshake: 0.8 ms with a key of P-256,
/// 1.1 ms with RSA-2048, 6.4 ms with RSA-4096. That is too much for a thousand at once, and too little
/// for a thread of its own, to which each step would have to travel and which would compete with the
/// store's. So what comes for a handshake isn't handled when it comes: it is queued, and at the end of
/// a turn the queue gets a fixed share of time. Everybody else waits no longer than that share and one
/// step, however many knock.
final class Handshakes {
  /// Of a turn, in microseconds; the last step may go beyond.
  private static let shareMicroseconds: Int64 = 2_000

  private let clock: any Clock
  private let log: Log
  private let room = ChannelRoom()
  var limits: Limits
  private(set) var statistics = HandshakeStatistics()
  /// Called when one more has room after none had.
  private let onRoom: () -> Void

  private var underWay: [ObjectIdentifier: Handshake] = [:]
  /// For which something has come.
  private var ready: [SecureStream] = []

  private struct Handshake {
    let stream: SecureStream
    /// Monotonic milliseconds.
    let startedAt: Int64
    let onOpen: (SecureStream) -> Session
    /// What came last; nothing more is read until it has had its turn.
    var received: [UInt8] = []
    var hasReceived = false
  }

  /// Why a handshake came to nothing.
  enum Failure {
    case plain
    case timedOut
    /// The peer has gone.
    case ended
    case refused(SecurityError)
  }

  init(limits: Limits, clock: any Clock, log: Log, onRoom: @escaping () -> Void) {
    self.limits = limits
    self.clock = clock
    self.log = log
    self.onRoom = onRoom
  }

  /// Whether no more connections should be accepted for now.
  var isFull: Bool { underWay.count >= limits.handshakesMax }

  /// A connection was accepted.
  ///
  /// - Parameter onOpen: makes a session of it once the handshake is over.
  func begin(
    _ stream: EventLoop.Stream, _ context: SecurityContext,
    onOpen: @escaping (SecureStream) -> Session
  ) {
    let secure = SecureStream(stream, SecureChannel(context, room: room), handshakes: self)
    stream.delegate = secure
    underWay[ObjectIdentifier(secure)] = Handshake(
      stream: secure, startedAt: clock.monotonicMilliseconds(), onOpen: onOpen)
    statistics.underWay = underWay.count
    stream.startReading()
  }

  func received(_ bytes: RawSpan, from stream: SecureStream) {
    let id = ObjectIdentifier(stream)
    guard let handshake = underWay[id] else { return }
    // The first byte of a TLS record that begins a handshake. Whatever else it is goes no further.
    if !handshake.hasReceived, unsafe bytes.unsafeLoad(as: UInt8.self) != 22 {
      return ended(stream, .plain)
    }
    stream.stopReading()
    underWay[id]?.hasReceived = true
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe underWay[id]?.received.append(contentsOf: bytes)
    }
    ready.append(stream)
  }

  /// To be called once a turn.
  ///
  /// - Returns: whether some are left that could go on.
  func proceed() -> Bool {
    guard !ready.isEmpty else { return false }
    let end = clock.monotonicMicroseconds() + Self.shareMicroseconds
    var count = 0
    repeat {
      proceed(ready[count])
      count += 1
    } while count < ready.count && clock.monotonicMicroseconds() < end
    ready.removeFirst(count)
    return !ready.isEmpty
  }

  private func proceed(_ stream: SecureStream) {
    let id = ObjectIdentifier(stream)
    // It may have ended meanwhile.
    guard let handshake = underWay[id] else { return }
    underWay[id]?.received = []
    do throws(SecurityError) {
      try unsafe stream.channel.receive(handshake.received.span.bytes)
    } catch {
      return ended(stream, .refused(error))
    }
    guard stream.channel.isOpen else {
      // Should this fail, the stream has failed too and says so.
      try? stream.flush()
      return stream.startReading()
    }
    forget(id)
    statistics.completed += 1
    try? stream.flush()
    stream.open(for: handshake.onOpen(stream))
  }

  /// It came to nothing.
  func ended(_ secure: SecureStream, _ failure: Failure) {
    guard underWay[ObjectIdentifier(secure)] != nil else { return }
    let stream = secure.stream
    statistics.count(failure)
    log.handshakeFailed(from: stream.peerAddress, failure)
    forget(ObjectIdentifier(secure))
    // What the peer is told of it goes out if the socket takes it; nobody waits for that.
    try? secure.flush()
    if stream.isWriting { stream.close() } else { stream.finish() }
  }

  private func forget(_ id: ObjectIdentifier) {
    let wasFull = isFull
    underWay[id] = nil
    statistics.underWay = underWay.count
    if wasFull, !isFull { onRoom() }
  }

  /// To be called once a second: gives up those that take too long.
  func tick() {
    guard !underWay.isEmpty else { return }
    let earliest = clock.monotonicMilliseconds() - limits.handshakeWithin.microseconds / 1_000
    for handshake in underWay.values where handshake.startedAt <= earliest {
      ended(handshake.stream, .timedOut)
    }
  }

  /// Gives all of them up: the daemon stops.
  func closeAll() {
    for handshake in underWay.values { handshake.stream.stream.close() }
    underWay = [:]
    ready = []
  }
}

extension HandshakeStatistics {
  fileprivate mutating func count(_ failure: Handshakes.Failure) {
    switch failure {
    case .plain: plain += 1
    case .timedOut: timedOut += 1
    case .ended, .refused: failed += 1
    }
  }
}
