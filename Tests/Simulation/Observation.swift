import ActivityCore
import ActivityWire

/// One connection to the daemon, as it is seen from outside.
struct Party: Hashable {
  /// Of the connection; rises from 1.
  var number: Int
  var role: Role
  /// Which of the simulated devices it is.
  var device: Int?
  /// Under which name.
  var name: String?
  /// It may do nothing before it has shown a token.
  var needsToken = false
}

/// A request line.
struct Request {
  /// What it does to a device's subscription, or to anybody's rights, if it succeeds.
  enum Effect {
    case none
    case subscribe(Interest, since: Cursor?)
    case unsubscribe(Interest)
    case dismiss
    case hello(Introduction)
    case addToken(KnownToken)
    case revokeToken(named: String)
  }

  var text: String
  /// Nil for what is no request at all.
  var ref: String?
  var operation: String
  /// No answer is wanted if it succeeds.
  var isQuiet = false
  var idempotencyKey: String?
  /// Its keys that have no effect.
  var ignored: [String] = []
  var effect = Effect.none
}

/// Everything that the guarantees speak of, in the order in which it happens.
enum Observation {
  case connected(Party)
  /// A connection is gone; `isAgreed` if the daemon closed it after it was asked to.
  case closed(Party, isAgreed: Bool)
  case asked(Party, Request)
  /// JSON text that was sent as attributes, content-state or payload, compact.
  case offered([UInt8], id: String)
  /// A line was handed to the socket while everything up to `durable` was on disk.
  case told(Party, Line, durable: Seq)
  /// A line was read at the other end.
  case heard(Party, Line)
  case landed(Landing)
  /// The wall clock was read, or could have been.
  case time(Instant)
  /// Something was made to go wrong.
  case disturbed(Tally.Event)
  /// The daemon has begun anew with what the store holds.
  case reopened([StoredItem])
  /// So many bytes wait in the daemon for one socket.
  case buffered(Party, bytes: Int)
  /// Nothing more happens by itself; everybody has read everything.
  case rested([Standing])
}

/// Where a device stands when everything is at rest.
struct Standing {
  var party: Party
  /// What somebody shows who has subscribed to the same just now, with the same token; nil if that
  /// is for the device alone.
  var newcomer: [String: Board.Card]?
}
