internal import ActivityClient

/// An activity as a card on a lock screen.
struct Card {
  let activity: Activity
  let content: Content
  let now: Double
  var isSelected = false
  /// What asks for attention just now.
  var alert: String?

  init(_ activity: Activity, now: Double) {
    self.activity = activity
    self.now = now
    content = Content(activity.contentState, now: now)
  }

  /// What kind it is, and what never changes, as far as that is short text.
  var title: String {
    let names = activity.attributes.members.compactMap(\.value.stringValue).prefix(2)
    return ([activity.attributesType] + names).joined(separator: " · ")
  }

  /// The value that is shown where there is room for one.
  var mainValue: Content.Value? {
    content.facts.first { $0.value.isClock }?.value
      ?? content.facts.first { $0.value.progress(now: now) != nil }?.value
  }

  var stateStyle: Style {
    switch activity.state {
    case .active: Style(color: .green)
    case .stale: Style(color: .yellow)
    case .pending, .ended, .dismissed: .plain
    }
  }

  /// The card in so many columns, of which there are at least 8.
  func rows(columns: Int) -> [StyledRow] {
    var rows = [top(columns)]
    rows += body(columns - 4).map { frame($0, columns) }
    rows.append(bottom(columns))
    if alert != nil {
      return rows.map { $0.restyled { $0.isReversed = true } }
    }
    // A phone greys out what is late, and what is over.
    return activity.state == .active ? rows : rows.map { $0.restyled { $0.isDim = true } }
  }
}

// MARK: - Its parts

extension Card {
  private var border: Style { isSelected ? Style(isBold: true, color: .cyan) : .dim }

  private func top(_ columns: Int) -> StyledRow {
    var left = StyledRow(isSelected ? "┏━ " : "╭─ ", border)
    left.append(title, .bold)
    left.append(" ", border)
    var right = StyledRow(" ", border)
    right.append(stateText, stateStyle)
    right.append(isSelected ? " ━┓" : " ─╮", border)
    return left.justified(right, columns: columns, filler: isSelected ? "━" : "─", border)
  }

  private var stateText: String {
    switch activity.state {
    case .active: "● active"
    case .stale: "◌ late"
    case .ended: "■ ended"
    case .pending, .dismissed: activity.state.rawValue
    }
  }

  private func bottom(_ columns: Int) -> StyledRow {
    var left = StyledRow(isSelected ? "┗━ " : "╰─ ", border)
    left.append(activity.id, .dim)
    left.append(" ", border)
    var right = StyledRow(deadlineText.isEmpty ? "" : " \(deadlineText) ", .dim)
    right.append(isSelected ? "━┛" : "─╯", border)
    return left.justified(right, columns: columns, filler: isSelected ? "━" : "─", border)
  }

  private var deadlineText: String {
    if let date = activity.dismissalDate { return "gone in \(TimeText.clock(max(0, date - now)))" }
    if let date = activity.staleDate { return "late in \(TimeText.clock(max(0, date - now)))" }
    if let date = activity.endDate { return "ends in \(TimeText.clock(max(0, date - now)))" }
    return ""
  }

  private func frame(_ row: StyledRow, _ columns: Int) -> StyledRow {
    let side = isSelected ? "┃" : "│"
    var left = StyledRow("\(side) ", border)
    left.append(row.fitted(columns - 4))
    return left.justified(StyledRow(" \(side)", border), columns: columns)
  }

  private func body(_ columns: Int) -> [StyledRow] {
    var rows: [StyledRow] = []
    if let alert { rows.append(StyledRow("🔔 \(alert)", .bold)) }
    let time = content.facts.first { $0.value.isClock }?.value
    var headline = StyledRow(content.headline ?? "", .bold)
    if let time {
      headline = headline.justified(StyledRow(time.text(now: now), .bold), columns: columns)
    }
    if headline.width > 0 { rows.append(headline) }
    let others = content.facts.filter { $0.value != time && $0.value.progress(now: now) == nil }
    let facts = others.map { fact in
      (fact.label.isEmpty ? "" : fact.label + " ") + fact.value.text(now: now)
    }
    if !facts.isEmpty { rows.append(StyledRow(facts.joined(separator: " · "))) }
    for fact in content.facts {
      guard let progress = fact.value.progress(now: now) else { continue }
      rows.append(Self.bar(progress, columns: columns))
      break
    }
    return rows
  }

  /// How much is done, in so many columns.
  static func bar(_ progress: Double, columns: Int) -> StyledRow {
    let percent = " \(Int((progress * 100).rounded()))%"
    let room = max(1, columns - 5)
    let done = Int((Double(room) * progress).rounded())
    var row = StyledRow(String(repeating: "━", count: done), Style(color: .green))
    row.append(String(repeating: "─", count: room - done), .dim)
    row.append(String(repeating: " ", count: max(0, 5 - percent.count)) + percent)
    return row
  }
}
