internal import ActivityCore
internal import ActivityWire
internal import EventLoop

/// One connection.
///
/// Theory of operation. Input: bytes are cut into lines and lines read into requests, which are
/// carried out in order. A write is decided at once and answered when it is durable; anything else
/// waits until all answers before it have left, and meanwhile nothing more is read (`isHeld`).
/// Output: answers gather in `answers`; events come from the session's view while it is in step,
/// else from its `remainder`. Each is written once a turn; when the socket takes no more, one
/// write is under way and nothing more is encoded until it is done.
///
/// Bounded by construction: `answers` by `answerBytesMax`, requests by `unansweredRequestsMax`,
/// events by one dirty entry an activity.
///
/// There may be many thousands: the flags stand where they take no room of their own, behind what
/// doesn't fill its last word.
package final class Session {
  unowned let hub: Hub
  let transport: any Transport
  let peer: Peer
  /// Where it is counted.
  let visitor: Visitor?
  /// Nil until it shows a token, where one is needed.
  var role: Role?
  var hasReadLine = false
  /// The peer sends no more.
  var hasEnded = false
  /// Nobody has vouched for the end: a last line without a newline isn't carried out.
  var isCutOff = false
  var isReading = true
  var isInFlushList = false
  let number: Int
  /// In the hub's sessions.
  var place = 0

  // Input.
  var framer: LineFramer
  /// Writing failed; what is still read is carried out, but nothing is answered.
  var isDeaf = false
  /// Takes no more requests, and closes when everything is written.
  var isFinishing = false
  /// Everything is written, the end too; only the peer's end is awaited.
  var isShutDown = false
  var isClosed = false
  var isInStep = false
  var isSynced = false
  var wantsFeedback = false
  /// What has come but can't be carried out yet.
  var held: Held?
  var requests = Meter()

  // Answers under way.
  var outstanding: Int32 = 0
  var viewIndex: Int32 = 0
  /// The newest batch that one of them waits for.
  var lastBatch = 0

  // Output.
  var answers = LineWriter()
  var remainder: Remainder?

  // Subscription.
  var view: View?
  var cursorHash: UInt64 = 0
  /// The newest cursor it was given.
  var cursorSeq: Seq = 0

  /// What only some sessions have.
  var particulars: Particulars?

  /// Input that waits.
  final class Held {
    /// Until everything before it is answered.
    var request: Request?
    /// Read from the socket behind it, not yet cut into lines.
    var backlog: [UInt8] = []
  }

  // Monotonic milliseconds.
  let connectedAt: Int64
  /// When something was written last, or was taken by the socket after it had waited.
  var spokenAt: Int64
  var unansweredPings: Int32 = 0
  /// What the peer hadn't taken at the last tick, in bytes.
  var unreadBytes: Int32 = 0

  /// What a `hello` said, and what a session without a named device keeps for itself.
  final class Particulars {
    var device: Device?
    var settings = Settings()
    /// Of the token that it has shown.
    var grant: Grant?
    /// Generations that a session without a named device dismissed for itself.
    var dismissed: Set<Generation> = []
    /// What it waits to be told is dismissed for its device. (Before it no answer is outstanding.)
    var dismissing: Generation?
    /// What it subscribed to before activities were disabled; it has no view meanwhile.
    var interest: Interest?
    /// Of a session without a named device.
    var pace: Pace?
    var actions = Meter()
    /// Where it comes from; the socket doesn't know any more once it is closed.
    var address: String?
    /// How it came to its end.
    var ending: Ending?
    /// It asked for a backup that is being made.
    var awaitsBackup = false
    /// What it watches of the requests of all.
    var monitor: Monitor?
    /// It is to be told goodbye when what it asked for is answered.
    var farewell: Farewell?

    /// Nothing further that it asks is carried out for now.
    var holdsInput: Bool { farewell != nil || awaitsBackup }
  }

  struct Ending {
    /// A reason of a `bye`, or why there was none.
    var reason: String
    /// How many activities had changed that it wasn't told of yet.
    var waiting: Int
  }

  struct Farewell {
    var reason: ByeReason
    var reconnectAfter: TimeSpan?
  }

  init(
    hub: Hub, transport: any Transport, peer: Peer, visitor: Visitor?, number: Int, now: Int64
  ) {
    self.hub = hub
    self.transport = transport
    self.peer = peer
    self.visitor = visitor
    self.number = number
    role = peer.needsToken ? nil : peer.role
    let limits = hub.limits
    framer = LineFramer(
      lineBytesMax: peer.needsToken ? limits.lineBytesMaxBeforeHello : limits.lineBytesMax)
    connectedAt = now
    spokenAt = now
  }

  /// What it subscribed to.
  var interest: Interest? { view?.interest ?? particulars?.interest }

  /// Who is at the other end, for people.
  var peerDescription: String { peer.description ?? address ?? "unknown" }

  /// Of a TCP connection.
  private var address: String? { particulars?.address ?? transport.peerAddress }

  /// Whom to hold responsible, over many connections: a user, or an address without its port.
  var origin: String {
    guard peer.description == nil, let address else { return peer.scope }
    return Self.origin(of: address)
  }

  /// An address without its port.
  static func origin(of address: String) -> String {
    String(address[..<(address.lastIndex(of: ":") ?? address.endIndex)])
  }

  var grant: Grant? { particulars?.grant }

  /// It is told goodbye, now or when what it asked for is answered.
  var isLeaving: Bool { isFinishing || particulars?.farewell != nil }

  /// Whether it may publish.
  var isPublisher: Bool { role.map { $0 >= .publisher } ?? false }

  /// An activity as its device may show it.
  func shown(_ activity: Activity) -> Activity {
    particulars.map { activity.shown(on: $0.settings.surface) } ?? activity
  }

  /// Who is noted as the author of its changes.
  var actor: String { grant?.actor ?? peer.scope }

  /// Whose idempotency keys it uses.
  var outcomeScope: String { grant?.outcomeScope ?? peer.scope }

  var device: Device? { particulars?.device }

  /// The device's name; made up where no `hello` said one.
  var deviceName: String { device?.name ?? "session-\(number)" }

  var settings: Settings { particulars?.settings ?? Settings() }

  func heldMade() -> Held {
    if let held { return held }
    let made = Held()
    held = made
    return made
  }

  func particularsMade() -> Particulars {
    if let particulars { return particulars }
    let made = Particulars()
    made.address = transport.peerAddress
    particulars = made
    return made
  }

  /// Remembers, for the log, why it ended and what it lacked; the first reason counts.
  func noteEnding(_ reason: String) {
    guard let particulars, particulars.ending == nil else { return }
    particulars.ending = Ending(reason: reason, waiting: remainder?.dirtyCount ?? 0)
  }

  func remainderMade() -> Remainder {
    if let remainder { return remainder }
    let made = Remainder()
    remainder = made
    return made
  }

  /// What its device wants of its own; nil if it takes whatever comes.
  var pace: Pace? {
    get { device.map { $0.pace } ?? particulars?.pace }
    set {
      if let device {
        device.pace = newValue
      } else if newValue != nil || particulars != nil {
        particularsMade().pace = newValue
      }
    }
  }

  /// Whether this device dismissed the generation for itself.
  func hasDismissed(_ generation: Generation) -> Bool {
    guard let particulars else { return false }
    return particulars.dismissed.contains(generation)
      || particulars.device?.dismissed[generation] != nil
  }

  /// How many activities this device has dismissed for itself.
  var ownDismissalCount: Int { device?.dismissed.count ?? particulars?.dismissed.count ?? 0 }

  /// Whether it can be sent what all others in step are sent.
  var canBeInStep: Bool {
    guard isSynced, remainder == nil, !isDeaf, !isFinishing, !transport.isWriting else {
      return false
    }
    guard let particulars else { return true }
    return pace == nil && particulars.dismissed.isEmpty
      && particulars.device?.dismissed.isEmpty ?? true
  }
}
