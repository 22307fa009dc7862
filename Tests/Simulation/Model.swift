import ActivityCore
import ActivityWire
import TestSupport

/// The naive model: what is durable, what each device shows, what everybody may see, what the clock
/// says.
final class Model {
  private(set) var history = History()
  /// Of the newest landing.
  private(set) var landed: [History.Change] = []
  private(set) var boards: [Int: Board] = [:]
  /// What was heard of, in order.
  private(set) var tokens: [KnownToken] = []
  /// Of the connections that are there, by number; none for who has said nothing of the kind.
  private(set) var rights: [Int: Rights] = [:]
  /// Up to which seq there were changes when the time of a token, by its key, was over.
  private var lapses: [String: Seq] = [:]
  private(set) var now = Instant(seconds: 0)
  /// By ref.
  private(set) var requests: [String: Request] = [:]

  init() {}

  func request(_ line: Line) -> Request? { line.ref.flatMap { requests[$0] } }

  func observe(_ observation: Observation) {
    switch observation {
    case .landed(let landing): landed = history.land(landing)
    case .time(let instant):
      now = instant
      lapse()
    case .asked(_, let request): if let ref = request.ref { requests[ref] = request }
    case .told(let party, let line, _):
      guard line.operation == "hello", case .hello(let hello)? = request(line)?.effect else {
        return
      }
      rights[party.number, default: Rights()].take(hello)
    case .heard(let party, let line):
      if let token = tokenAdded(by: line) { tokens.append(token) }
      guard let device = party.device else { return }
      boards[device, default: Board()].hear(line, answering: request(line))
    case .closed(let party, _): rights[party.number] = nil
    case .connected, .offered, .disturbed, .reopened, .buffered, .rested: break
    }
  }

  private func lapse() {
    for token in tokens {
      guard let expiry = token.expiresAt, expiry <= now else {
        lapses[token.key] = nil
        continue
      }
      if lapses[token.key] == nil { lapses[token.key] = history.newestSeq }
    }
  }

  /// Up to which seq changes may be told to whoever has shown a token; nil while it is in force.
  func end(of token: KnownToken) -> Seq? {
    [history.revocations[token.key], lapses[token.key]].compactMap { $0 }.min()
  }

  func connect(_ device: Int, restoring memory: Board.Memory?) {
    boards[device, default: Board()].connect(restoring: memory)
  }

  /// A device that forgot everything.
  func replace(_ device: Int) { boards[device] = Board() }

  /// What a device must show, worked out from everything durable.
  func truth(for party: Party) -> [String: Board.Card] {
    guard let device = party.device, let board = boards[device], board.isEnabled else { return [:] }
    var cards: [String: Board.Card] = [:]
    for generation in history.generations {
      guard let activity = history.newest(generation), activity.state.isShown,
        board.sees(activity), !hasDismissed(generation, party)
      else { continue }
      cards[activity.id] = Board.Card(
        generation: generation, version: activity.version, state: activity.state.rawValue,
        contentState: activity.seen(on: board.rights.surface).contentState)
    }
    return cards
  }

  /// Whether the device has dismissed a generation for itself.
  func hasDismissed(_ generation: Generation, _ party: Party) -> Bool {
    if history.hasDismissed(generation, party.name) { return true }
    return party.device.flatMap { boards[$0]?.dismissed.contains(generation) } ?? false
  }
}

// MARK: - Tokens

extension Model {
  /// The token that an answer tells of.
  func tokenAdded(by line: Line) -> KnownToken? {
    guard line.operation == "token-add", case .addToken(var token)? = request(line)?.effect
    else { return nil }
    token.text = line.members["token"]?.string ?? ""
    return token
  }

  /// Those that an answer says are revoked, as far as anybody has heard of them.
  func tokensRevoked(by line: Line) -> [KnownToken] {
    guard line.operation == "token-revoke",
      case .revokeToken(let name)? = request(line)?.effect
    else { return [] }
    return tokens.filter { $0.name == name && history.revocations[$0.key] != nil }
  }
}
