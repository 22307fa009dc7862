import ActivityCore
import ActivityWire

/// A cursor stands for everything up to it: who has one lacks nothing below it, and who came back
/// with one shows what a newcomer is shown.
struct CursorSoundness: Guarantee {
  static let name = "cursor-soundness"

  /// The newest cursor of each session.
  private var newest: [Int: Seq] = [:]
  /// Sessions that went on from a cursor.
  private var resumed: Set<Int> = []

  init() {}

  mutating func observe(_ observation: Observation, _ model: Model) throws {
    switch observation {
    case .heard(let party, let line):
      if line.operation == "subscribe", case .subscribe(_, .some)? = model.request(line)?.effect {
        resumed.insert(party.number)
      }
      if let cursor = line.cursor, let device = party.device, let board = model.boards[device] {
        try check(cursor, of: party, board, model)
      }
    case .closed(let party, _):
      newest[party.number] = nil
      resumed.remove(party.number)
    case .rested(let standings):
      for standing in standings where resumed.contains(standing.party.number) {
        try compare(standing, model)
      }
    default: break
    }
  }

  private mutating func check(
    _ cursor: Cursor, of party: Party, _ board: Board, _ model: Model
  ) throws {
    try demand(!board.isCollecting, "a cursor before synced")
    try demand(cursor.seq >= newest[party.number] ?? 0, "\(cursor.text) goes back")
    newest[party.number] = cursor.seq
    guard board.isEnabled else { return }
    for generation in model.history.generations {
      guard let then = model.history.activity(generation, at: cursor.seq),
        board.sees(then)
      else { continue }
      let card = board.shown[then.id].flatMap { $0.generation == generation ? $0 : nil }
      let isOver =
        then.state == .dismissed
        || model.history.hasDismissed(generation, party.name, upTo: cursor.seq)
      if isOver {
        try demand(card == nil, "\(then.id) is gone below \(cursor.text), but still shown")
      } else if then.state.isShown, !model.hasDismissed(generation, party) {
        let isGoneSince = model.history.newest(generation)?.state == .dismissed
        try demand(
          card.map { $0.version >= then.version } ?? isGoneSince,
          "version \(then.version) of \(then.id) is below \(cursor.text), but never came")
      }
    }
  }

  /// A device against somebody who has just subscribed to the same.
  private func compare(_ standing: Standing, _ model: Model) throws {
    guard let newcomer = standing.newcomer, let device = standing.party.device,
      let board = model.boards[device], board.isEnabled
    else { return }
    let expected = newcomer.filter {
      !model.hasDismissed($0.value.generation, standing.party)
    }
    try demand(
      board.shown == expected,
      "it shows\n\(board.shown.listing)\nbut a newcomer\n\(expected.listing)")
  }
}
