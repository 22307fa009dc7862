/// Keeps in step with the daemon, whatever happens to the connection: subscribes, goes on from the
/// last cursor after an interruption, waits ever longer between attempts, and keeps a board of what
/// is to be shown.
///
/// ```swift
/// let follower = Follower(.local, of: .everything)
/// while true {
///   if case .event = try follower.next() { show(follower.board.activities) }
/// }
/// ```
///
/// For use by one thread at a time.
public final class Follower {
  /// What has happened.
  public enum Change: Hashable, Sendable {
    case connected(Welcome)
    /// The daemon is away; the board goes on by the deadlines that it holds.
    case disconnected(reason: String, retryIn: Duration)
    /// The cursor is of no use any more; the whole state follows.
    case reset(reason: String)
    /// The state is complete; `count` events made it up, and `gone` is what was shown before and
    /// isn't any more.
    case synced(count: Int, gone: [String])
    /// An activity has changed, or a device has sent something.
    case event(Event)
    /// A deadline has passed while nobody said so.
    case passed(Board.Passing)
    /// `dismiss` or `action` was carried out.
    case done(operation: String, answer: JSONObject)
    /// `dismiss` or `action` was refused.
    case refused(operation: String, refusal: Refusal)
  }

  /// Where the daemon is.
  public let address: ServerAddress
  /// How it introduces itself there.
  public let identity: Identity
  /// What is followed.
  public let subscription: Subscription
  /// What is to be shown.
  public private(set) var board = Board()
  /// Everything up to here is on the board.
  public private(set) var cursor: String?
  /// The daemon's clock.
  public private(set) var clock = ServerClock()

  /// The daemon lets us know that it is there after this many seconds of silence, and we let it.
  private static let keepalive = 30
  /// What a deadline did the daemon tells us itself, and this much later we no longer wait for it.
  private static let grace: Duration = .seconds(1)
  private var changes: ArraySlice<Change> = []
  private var connection: Connection?
  /// The requests under way, in the order of their answers.
  private var requests: ArraySlice<Request> = []
  private var backoff = Backoff()
  private var retryAt = ContinuousClock.now
  private var heardAt = ContinuousClock.now
  /// When nothing had come that wasn't taken: whatever is taken now was said since.
  private var caughtUpAt = ContinuousClock.now

  private enum Request {
    case hello, subscribe, ping
    case dismiss(id: String, generation: Int)
    case action
  }

  /// Connects with the first `next`.
  public init(
    _ address: ServerAddress, of subscription: Subscription, identity: Identity = Identity()
  ) {
    self.address = address
    self.subscription = subscription
    self.identity = identity
  }

  /// Whether there is a connection just now.
  public var isConnected: Bool { connection != nil }

  /// For `poll`: readable when `next` has something to do, after it has answered nil. Nil while
  /// there is no connection.
  public var descriptor: Int32? { connection?.descriptor }
}

// MARK: - What happens next

extension Follower {
  /// Waits for the next change, and does meanwhile what keeps the connection up.
  ///
  /// - Parameters:
  ///   - within: how long to wait; for ever if nil.
  ///   - other: a descriptor that ends the waiting as well when it can be read.
  /// - Returns: nil if nothing has changed so far; a signal too ends the waiting.
  /// - Throws: what no retry cures: `refused`, if the daemon doesn't let us subscribe; `superseded`;
  ///   `notUnderstood`.
  public func next(within: Duration? = nil, or other: Int32? = nil) throws(ClientError) -> Change? {
    let deadline = within.map { ContinuousClock.now + $0 }
    repeat {
      if let change = changes.popFirst() { return change }
      if ContinuousClock.now >= wakeUp(before: nil) { try doWhatIsDue() }
      if let change = changes.popFirst() { return change }
      guard try waitAndTake(until: wakeUp(before: deadline), or: other) else { return nil }
    } while connection?.hasArrived ?? false || deadline.map { ContinuousClock.now < $0 } ?? true
    return changes.popFirst()
  }

  /// The next moment at which there is something to do without being told.
  private func wakeUp(before deadline: ContinuousClock.Instant?) -> ContinuousClock.Instant {
    let own = connection == nil ? retryAt : silenceEnds
    let passing = board.nextDeadline.map {
      ContinuousClock.now + clock.real(until: $0) + (isConnected ? Self.grace : .zero)
    }
    return [own, passing, deadline].compactMap { $0 }.min() ?? own
  }

  /// The daemon pings after `keepalive`; with nothing for twice as long it isn't there.
  private var silenceEnds: ContinuousClock.Instant { heardAt + .seconds(2 * Self.keepalive) }

  private func doWhatIsDue() throws(ClientError) {
    let now = isConnected ? clock.before(Self.grace) : clock.now
    for passing in board.advance(to: now) { changes.append(.passed(passing)) }
    if connection == nil, ContinuousClock.now >= retryAt {
      try guarding { () throws(ClientError) in try connect() }
    } else if connection != nil, ContinuousClock.now >= silenceEnds {
      disconnect(after: .lost(reason: "the daemon is silent"))
    }
  }

  /// Answers false if the waiting was interrupted.
  private func waitAndTake(
    until deadline: ContinuousClock.Instant, or other: Int32?
  ) throws(ClientError) -> Bool {
    guard let connection else {
      wait(for: other, until: deadline)
      return ContinuousClock.now >= deadline
    }
    var isInterrupted = false
    try guarding { () throws(ClientError) in
      if !connection.hasArrived { caughtUpAt = .now }
      let left = max(.zero, ContinuousClock.now.duration(to: deadline))
      if let message = try connection.receive(within: left, or: other) {
        heardAt = .now
        try take(message)
      } else {
        isInterrupted = ContinuousClock.now < deadline
      }
    }
    return !isInterrupted
  }

  /// Does something over the connection; if it breaks, that is a change like others.
  private func guarding(_ action: () throws(ClientError) -> Void) throws(ClientError) {
    do throws(ClientError) {
      try action()
    } catch {
      guard error.isTemporary else {
        connection = nil
        throw error
      }
      disconnect(after: error)
    }
  }
}

// MARK: - The connection

extension Follower {
  private func connect() throws(ClientError) {
    let connection = try Connection(to: address, tls: identity.tls)
    self.connection = connection
    heardAt = .now
    requests = []
    clock = ServerClock(connection.welcome)
    changes.append(.connected(connection.welcome))
    if let hello = identity.hello(keepalive: Self.keepalive) {
      try connection.send("hello", hello)
      requests.append(.hello)
    }
    if cursor == nil { board.beginState() }
    try connection.send("subscribe", subscription.keys(since: cursor))
    requests.append(.subscribe)
  }

  private func disconnect(after failure: ClientError) {
    connection = nil
    let wait = backoff.next(after: failure)
    retryAt = ContinuousClock.now + wait
    changes.append(.disconnected(reason: failure.reasonOfLoss, retryIn: wait))
  }

  /// Lets go of the connection, as when the network has changed, and connects again after so long.
  /// What was asked for and not answered yet has an unknown outcome.
  public func interrupt(for pause: Duration = .zero) {
    connection = nil
    retryAt = ContinuousClock.now + pause
    changes.append(.disconnected(reason: "interrupted", retryIn: pause))
  }

  /// Takes an activity off this device, for good.
  ///
  /// - Throws: `lost` without a connection; what becomes of it is a change, `done` or `refused`.
  public func dismiss(_ id: String) throws(ClientError) {
    try send("dismiss", ["id": .string(id)])
    requests.append(.dismiss(id: id, generation: board[id]?.generation ?? 0))
  }

  /// Presses a button of an activity, as it is shown.
  ///
  /// - Throws: `lost` without a connection; what becomes of it is a change, `done` or `refused`.
  public func act(
    _ name: String, on id: String, payload: JSONValue? = nil
  ) throws(ClientError) {
    var keys: JSONObject = [
      "id": .string(id), "name": .string(name), "action-id": .string(FreshName.make()),
    ]
    keys["payload"] = payload
    try send("action", keys)
    requests.append(.action)
  }

  private func send(_ operation: String, _ keys: JSONObject) throws(ClientError) {
    guard let connection else { throw .lost(reason: "the daemon is away") }
    try connection.send(operation, keys)
  }
}

// MARK: - What comes

extension Follower {
  private func take(_ message: Message) throws(ClientError) {
    switch message {
    case .event(let event): try take(event)
    case .answer(let line): finish(requests.popFirst(), line)
    case .refusal(let refusal): try finish(requests.popFirst(), refusal)
    case .item: break
    }
  }

  private func take(_ event: Event) throws(ClientError) {
    if let cursor = event.cursor { self.cursor = cursor }
    switch event.name {
    case "ping":
      if let now = event.line.number("now") { clock.set(to: now, saidAfter: caughtUpAt) }
      try send("ping", [:])
      requests.append(.ping)
    case "reset":
      cursor = nil
      board.beginState()
      changes.append(.reset(reason: event.line.string("reason") ?? "?"))
    case "synced":
      // Only now: a daemon that greets and breaks off again isn't to be hurried.
      backoff.reset()
      let gone = board.endState()
      changes.append(.synced(count: event.line.integer("count") ?? 0, gone: gone))
    case "action", "feedback": changes.append(.event(event))
    default:
      if board.apply(event) { changes.append(.event(event)) }
    }
  }

  private func finish(_ request: Request?, _ answer: JSONObject) {
    if let cursor = answer.string("cursor") { self.cursor = cursor }
    switch request {
    case .dismiss(let id, let generation):
      board.remove(id, upTo: generation)
      changes.append(.done(operation: "dismiss", answer: answer))
    case .action: changes.append(.done(operation: "action", answer: answer))
    case .hello, .subscribe, .ping, nil: break
    }
  }

  private func finish(_ request: Request?, _ refusal: Refusal) throws(ClientError) {
    switch request {
    case .dismiss: changes.append(.refused(operation: "dismiss", refusal: refusal))
    case .action: changes.append(.refused(operation: "action", refusal: refusal))
    // It has answered the daemon's, by coming.
    case .ping where refusal.isRetryable: break
    case .hello, .subscribe, .ping, nil: throw .refused(refusal)
    }
  }
}
