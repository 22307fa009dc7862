internal import ActivityClient

/// What is shown above the cards, as around the camera of a phone: the most relevant live activity
/// in short, and the next as little more than a sign.
struct Island {
  private let cards: [Card]
  private let isExpanded: Bool

  /// - Parameter activities: in order. What has ended leaves the island at once.
  init(_ activities: [Activity], now: Double, isExpanded: Bool) {
    cards = activities.lazy.filter { $0.state == .active || $0.state == .stale }.prefix(2).map {
      Card($0, now: now)
    }
    self.isExpanded = isExpanded
  }

  /// One row, or several when it is expanded; none if nothing is live.
  func rows(columns: Int) -> [StyledRow] {
    guard let first = cards.first else { return [] }
    if isExpanded {
      return first.rows(columns: min(columns, 60)).map { row in
        row.restyled { $0.isReversed = true }.centered(columns: columns)
      }
    }
    var row = pill(compact(first), first)
    if cards.count > 1 {
      row.append(" ")
      row.append(pill(minimal(cards[1]), cards[1]))
    }
    return [row.centered(columns: columns)]
  }

  private func pill(_ text: String, _ card: Card) -> StyledRow {
    let style = Style(isDim: card.activity.state == .stale, isReversed: true)
    return StyledRow("( \(text) )", style)
  }

  private func compact(_ card: Card) -> String {
    let type = TerminalText.fit(card.activity.attributesType, 12)
    let value = card.mainValue?.text(now: card.now) ?? ""
    let headline = TerminalText.fit(card.content.headline ?? "", value.isEmpty ? 20 : 12)
    return [type, headline, value].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func minimal(_ card: Card) -> String {
    let type = card.activity.attributesType
    return card.mainValue?.text(now: card.now) ?? String(type.prefix(1))
  }
}
