internal import Glibc
internal import Synchronization

/// What looks like a daemon to a client: whatever it is asked, it says what a test wants it to.
package final class ScriptedDaemon {
  /// What is said to who connects, at once.
  package struct Speech {
    let lines: [String]
    /// Whether the connection is closed then; else it stays.
    let isLast: Bool

    package init(_ lines: [String], isLast: Bool = false) {
      self.lines = lines
      self.isLast = isLast
    }
  }

  /// As a daemon greets that was made just now.
  package static let welcome =
    #"{"event":"welcome","protocol":1,"epoch":"e","seq":0,"now":1800000000,"role":"admin"}"#

  private let directory: TemporaryDirectory
  private let listener: CInt
  private let server: Server
  private var thread: pthread_t

  /// - Parameter speeches: for the first that connects, the second, and so on; all others hear the
  ///   last one.
  package init(_ speeches: Speech...) throws {
    directory = try TemporaryDirectory()
    listener = try Self.listen(at: directory.file("socket"))
    thread = pthread_t()
    server = Server(listener, speeches)
    let status = unsafe pthread_create(
      &thread, nil,
      { argument in
        unsafe Unmanaged<Server>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, unsafe Unmanaged.passRetained(server).toOpaque())
    guard status == 0 else { throw TestFailure("pthread_create: \(status)") }
  }

  deinit {
    shutdown(listener, CInt(SHUT_RDWR))
    pthread_join(thread, nil)
    close(listener)
  }

  package var socketPath: String { directory.file("socket") }

  /// How many have been served so far.
  package var connectionCount: Int { server.count.load(ordering: .relaxed) }

  private static func listen(at path: String) throws -> CInt {
    let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw TestFailure.system("socket") }
    var address = try sockaddr_un(path: path)
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = unsafe withUnsafeBytes(of: &address) {
      unsafe bind(listener, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), size)
    }
    guard status == 0, Glibc.listen(listener, 100) == 0 else { throw TestFailure.system("listen") }
    return listener
  }
}

/// What its thread does; a test waits on its own for what comes of that.
private final class Server {
  private let listener: CInt
  private let speeches: [ScriptedDaemon.Speech]
  private var connections: [CInt] = []
  let count = Atomic(0)

  init(_ listener: CInt, _ speeches: [ScriptedDaemon.Speech]) {
    self.listener = listener
    self.speeches = speeches
  }

  deinit { for connection in connections { close(connection) } }

  func run() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      let number = count.add(1, ordering: .relaxed).oldValue
      let speech = speeches[min(number, speeches.count - 1)]
      let bytes = Array(speech.lines.map { $0 + "\n" }.joined().utf8)
      // It is less than a socket takes at once.
      _ = unsafe bytes.withUnsafeBytes {
        unsafe send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      if speech.isLast { close(connection) } else { connections.append(connection) }
    }
  }
}
