internal import ActivityClient
internal import Glibc

/// Brings together what the daemon answers, the keys and the passing of time, on a screen. It waits
/// for none of them alone: a daemon that is busy doesn't keep anybody from leaving. (Only to connect
/// it waits for the daemon, for as long as that may take.)
final class TopLoop {
  private let address: ServerAddress
  private let identity: Identity
  private let terminal: Terminal
  private var screen: TopScreen
  private var connection: Connection?
  private var backoff = Backoff()
  private var askAt = ContinuousClock.now
  /// When the question was asked whose answer is waited for.
  private var askedAt: ContinuousClock.Instant?
  /// What has come of the answer so far.
  private var stats: JSONObject?
  private var clients: [JSONObject] = []

  private static let interval: Duration = .seconds(1)
  /// One that is busy is left to be so; one that has gone without a word is found out.
  private static let patience: Duration = .seconds(120)

  init(_ address: ServerAddress, as identity: Identity, on terminal: Terminal) {
    self.address = address
    self.identity = identity
    self.terminal = terminal
    screen = TopScreen(server: address.description)
  }

  /// Goes on until it is left. However it ends, the terminal is as it was before.
  func run() {
    terminal.enter()
    defer { terminal.leave() }
    while !TerminalSignals.hasEnded {
      let size = terminal.size
      terminal.paint(screen.rows(columns: size.columns, count: size.rows))
      do throws(ClientError) {
        try askAndTake()
      } catch {
        screen.take(error)
        connection = nil
        askedAt = nil
        askAt = .now + max(Self.interval, backoff.next(after: error))
      }
      for key in terminal.keys() {
        switch key {
        case .character("q"), .interrupt: return
        case .suspend: terminal.suspend()
        case .redraw: terminal.forget()
        default: break
        }
      }
      if TerminalSignals.takeResized() { terminal.forget() }
    }
  }

  /// Asks, if it is time to, and takes what comes up to the next time or a key.
  private func askAndTake() throws(ClientError) {
    if askedAt == nil, ContinuousClock.now >= askAt { try ask(over: connected()) }
    guard let connection, let askedAt else { return terminal.waitForKeys(until: askAt) }
    guard let message = try connection.receive(within: Self.interval, or: STDIN_FILENO) else {
      let silence = askedAt.duration(to: .now)
      guard silence < Self.patience else { throw .timedOut }
      return screen.take(silence: silence)
    }
    try take(message, askedAt)
    // There may be many clients: what has come is taken before the screen is painted again.
    while connection.hasArrived, let message = try connection.receive() {
      try take(message, askedAt)
    }
  }

  private func connected() throws(ClientError) -> Connection {
    if let connection { return connection }
    let connection = try Client(address, identity: identity).connected()
    self.connection = connection
    return connection
  }

  private func ask(over connection: Connection) throws(ClientError) {
    (stats, clients) = (nil, [])
    askedAt = .now
    try connection.send("stats")
    try connection.send("clients")
  }

  private func take(
    _ message: Message, _ askedAt: ContinuousClock.Instant
  ) throws(ClientError) {
    switch message {
    case .item(let client): clients.append(client)
    case .answer(let line):
      guard let stats else { return stats = line }
      screen.take(stats: stats, clients: clients, at: .now)
      backoff.reset()
      self.askedAt = nil
      askAt = askedAt + Self.interval
    case .refusal(let refusal): throw .refused(refusal)
    case .event: break
    }
  }
}
