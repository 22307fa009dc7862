import TestSupport

@testable import ActivityDaemon

/// A connection to a scene's daemon.
final class SceneClient {
  let socket = MemorySocket()
  let session: Session
  /// How many bytes it takes at a time; nil: all that come.
  private(set) var appetite: Int?
  private unowned let scene: Scene
  private var partial: [UInt8] = []
  private var lines: [String] = []
  private(set) var isClosed = false

  init(_ scene: Scene, _ peer: Peer) {
    self.scene = scene
    session = scene.hub.connect(socket, peer: peer)
  }

  // MARK: Speaking

  /// Sends a line, and lets the daemon do what follows.
  func say(_ line: String) {
    send(line)
    scene.turn()
  }

  /// Sends a line; the daemon's turn isn't over.
  func send(_ line: String) {
    guard !isClosed else { return }
    let bytes = Array((line + "\n").utf8)
    unsafe scene.hub.received(bytes.span.bytes, from: session)
  }

  /// Says that an activity starts, is updated or ends; a start has a type and a content of its own.
  func publish(_ op: String, _ id: String, _ more: String = "") {
    say(Self.write(op, id, more))
  }

  static func write(_ op: String, _ id: String, _ more: String = "") -> String {
    let type = op == "start" ? #","attributes-type":"T","content-state":0"# : ""
    return #"{"op":"\#(op)","id":"\#(id)"\#(type)\#(more)}"#
  }

  /// Says that nothing more will be sent.
  func endOutput() {
    scene.hub.reachedEnd(session)
    scene.turn()
  }

  // MARK: Reading

  /// Reads nothing more; the socket holds so many bytes.
  func block(capacity: Int = 0) {
    appetite = 0
    socket.capacity = capacity
  }

  /// Reads up to so many bytes, once.
  func read(upTo count: Int) {
    take(upTo: count)
    scene.turn()
  }

  /// Reads whatever comes from now on.
  func unblock() {
    appetite = nil
    socket.capacity = .max
    scene.turn()
  }

  /// The lines that have come since it was asked last.
  func hear() throws -> [JSONLine] { try takeLines().map { try JSONLine($0) } }

  func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// Within a turn: takes what has come, unless it doesn't read; answers whether anything moved.
  func takeWhatCame() -> Bool {
    var hasMoved = false
    if appetite == nil { hasMoved = take(upTo: .max) }
    if socket.isClosed, !isClosed {
      isClosed = true
      scene.hub.closed(session)
      hasMoved = true
    }
    return hasMoved
  }

  @discardableResult
  private func take(upTo count: Int) -> Bool {
    let (bytes, progress) = socket.read(upTo: count)
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(String(decoding: partial, as: UTF8.self))
        partial = []
      } else {
        partial.append(byte)
      }
    }
    switch progress {
    case .none: break
    case .drained: scene.hub.drained(session)
    case .failed: scene.hub.writeFailed(session)
    }
    return !bytes.isEmpty || progress != .none
  }

  // MARK: Its end

  /// Nothing more comes over it.
  var isLost: Bool { isClosed || session.isDeaf }

  /// The connection breaks: the daemon can neither read nor write any more.
  func reset() {
    socket.bytesUntilFailure = 0
    scene.hub.readFailed(session)
    scene.turn()
  }

  /// The daemon is gone.
  func lose() { isClosed = true }
}

extension [JSONLine] {
  /// The lines that are events of activities, as `name id version`.
  var told: [String] {
    compactMap { line in
      guard let event = line["event"]?.string, let id = line["id"]?.string,
        let version = line["version"]?.integer
      else { return nil }
      return "\(event) \(id) \(version)"
    }
  }

  /// The names of all events.
  var events: [String] { compactMap { $0["event"]?.string } }

  var cursors: [String] { compactMap { $0["cursor"]?.string } }
}
