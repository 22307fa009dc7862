/// When everything is at rest, each device shows exactly what there is in its view.
struct ConflationEndsInTheTruth: Guarantee {
  static let name = "conflation-ends-in-the-truth"

  init() {}

  mutating func observe(_ observation: Observation, _ model: Model) throws {
    guard case .rested(let standings) = observation else { return }
    for standing in standings {
      let truth = model.truth(for: standing.party)
      let shown = standing.party.device.flatMap { model.boards[$0]?.shown } ?? [:]
      try demand(
        shown == truth,
        "\(standing.party.name ?? "a nameless device") on connection \(standing.party.number) shows\n\(shown.listing)\nbut there is\n"
          + truth.listing)
    }
  }
}

extension [String: Board.Card] {
  /// For people: a line a card.
  var listing: String {
    sorted { $0.key < $1.key }.map { id, card in
      "  \(id): generation \(card.generation), version \(card.version), \(card.state), "
        + String(decoding: card.contentState.prefix(60), as: UTF8.self)
    }.joined(separator: "\n")
  }
}
