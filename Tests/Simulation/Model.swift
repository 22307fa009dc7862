import ActivityCore
import ActivityWire

/// The naive model: what is durable, what each device shows, what the clock says.
final class Model {
  private(set) var history = History()
  /// Of the newest landing.
  private(set) var landed: [History.Change] = []
  private(set) var boards: [Int: Board] = [:]
  private(set) var now = Instant(seconds: 0)
  /// By ref.
  private(set) var requests: [String: Request] = [:]

  init() {}

  func request(_ line: Line) -> Request? { line.ref.flatMap { requests[$0] } }

  func observe(_ observation: Observation) {
    switch observation {
    case .landed(let landing): landed = history.land(landing)
    case .time(let instant): now = instant
    case .asked(_, let request): if let ref = request.ref { requests[ref] = request }
    case .heard(let party, let line):
      guard let device = party.device else { return }
      boards[device, default: Board()].hear(line, answering: request(line))
    case .connected, .closed, .offered, .told, .disturbed, .reopened, .buffered, .rested: break
    }
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
        board.interest.holds(activity), !hasDismissed(generation, party)
      else { continue }
      cards[activity.id] = Board.Card(
        generation: generation, version: activity.version, state: activity.state.rawValue,
        contentState: activity.contentState.bytes)
    }
    return cards
  }

  /// Whether the device has dismissed a generation for itself.
  func hasDismissed(_ generation: Generation, _ party: Party) -> Bool {
    if history.hasDismissed(generation, party.name) { return true }
    return party.device.flatMap { boards[$0]?.dismissed.contains(generation) } ?? false
  }
}
