internal import ActivityClient

/// What is on the screen of `watch`, and what keys do to it. It does no input or output.
struct WatchScreen {
  /// What a key asks for.
  enum Wish: Equatable {
    case quit, suspend, redraw
    case dismiss(id: String)
    case act(name: String, id: String)
  }

  let server: String
  private var connection = Connection.connecting
  private var selectedID: String?
  private var isIslandExpanded = false
  /// The name of an action, while it is typed.
  private var prompt: String?
  private var notice: String?
  private var alerts: [String: (text: String, until: Double)] = [:]
  private var firstShown = 0

  private enum Connection {
    case connecting, connected
    case away(reason: String, retryAt: ContinuousClock.Instant)
  }

  /// How long an alert flashes, in seconds.
  static let alertSeconds = 3.0

  init(server: String) { self.server = server }
}

// MARK: - What happens

extension WatchScreen {
  /// - Parameter now: the daemon's clock.
  mutating func take(_ change: Follower.Change, now: Double) {
    switch change {
    case .connected: connection = .connected
    case .disconnected(let reason, let retryIn):
      connection = .away(reason: reason, retryAt: .now + retryIn)
    case .event(let event):
      guard let id = event.id, let alert = event.alert else { return }
      alerts[id] = (Self.text(of: alert), now + Self.alertSeconds)
    case .done("action", let answer): notice = Description.action(answer)
    case .refused(_, let refusal): notice = "\(refusal)"
    case .reset, .synced, .passed, .done: break
    }
  }

  private static func text(of alert: JSONValue) -> String {
    guard let object = alert.objectValue else { return alert.stringValue ?? "" }
    let parts = ["title", "body"].compactMap { key in
      object.string(key) ?? object.object(key)?.string("loc-key")
    }
    return parts.joined(separator: ": ")
  }

  /// A request that a key asked for couldn't be sent.
  mutating func tell(_ text: String) { notice = text }

  mutating func press(_ key: Key, _ activities: [Activity]) -> Wish? {
    notice = nil
    if case .interrupt = key { return .quit }
    if case .suspend = key { return .suspend }
    if case .redraw = key { return .redraw }
    return prompt == nil ? pressCommand(key, activities) : pressPrompt(key)
  }

  private mutating func pressCommand(_ key: Key, _ activities: [Activity]) -> Wish? {
    switch key {
    case .character("q"): return .quit
    case .up, .character("k"): select(-1, activities)
    case .down, .character("j"): select(1, activities)
    case .character(" "), .enter: isIslandExpanded.toggle()
    case .escape: (selectedID, isIslandExpanded) = (nil, false)
    case .character("d"): return selectedID.map { .dismiss(id: $0) }
    case .character("a"): if selectedID != nil { prompt = "" }
    default: break
    }
    return nil
  }

  private mutating func pressPrompt(_ key: Key) -> Wish? {
    switch key {
    case .character(let character): prompt?.append(character)
    case .backspace: if prompt?.isEmpty == false { prompt?.removeLast() }
    case .enter:
      defer { prompt = nil }
      guard let prompt, !prompt.isEmpty, let selectedID else { return nil }
      return .act(name: prompt, id: selectedID)
    case .escape: prompt = nil
    default: break
    }
    return nil
  }

  private mutating func select(_ step: Int, _ activities: [Activity]) {
    guard !activities.isEmpty else { return }
    let present = activities.firstIndex { $0.id == selectedID }
    let index = present.map { $0 + step } ?? (step > 0 ? 0 : activities.count - 1)
    selectedID = activities[min(max(index, 0), activities.count - 1)].id
  }
}

// MARK: - What is shown

extension WatchScreen {
  /// As many rows as the screen has.
  mutating func rows(
    _ activities: [Activity], now: Double, columns: Int, count: Int
  ) -> [StyledRow] {
    alerts = alerts.filter { $0.value.until > now }
    if !activities.contains(where: { $0.id == selectedID }) { (selectedID, prompt) = (nil, nil) }
    var rows = [status(activities, columns)]
    rows += Island(activities, now: now, isExpanded: isIslandExpanded).rows(columns: columns)
    let room = count - rows.count - 1
    rows += cards(activities, now: now, columns: columns, room: room)
    rows = Array(rows.prefix(max(0, count - 1)))
    rows += Array(repeating: StyledRow(), count: max(0, count - 1 - rows.count))
    // The last cell of a screen can't be filled without scrolling on some terminals.
    return rows + [footer(columns - 1)]
  }

  private func status(_ activities: [Activity], _ columns: Int) -> StyledRow {
    var left: StyledRow
    switch connection {
    case .connecting: left = StyledRow("○ connecting to \(server)", Style(color: .yellow))
    case .connected: left = StyledRow("● \(server)", Style(color: .green))
    case .away(let reason, let retryAt):
      let retryIn = ContinuousClock.now.duration(to: retryAt)
      left = StyledRow(
        "○ " + Description.away(because: reason, retryIn: retryIn), Style(color: .red))
    }
    left.append(" ")
    let count = Description.count(activities.count, "activity", "activities")
    return left.justified(StyledRow(count, .dim), columns: columns)
  }

  /// The cards that fit, the selected one among them.
  private mutating func cards(
    _ activities: [Activity], now: Double, columns: Int, room: Int
  ) -> [StyledRow] {
    guard !activities.isEmpty else {
      return [StyledRow(), StyledRow("Nothing is live.", .dim).centered(columns: columns)]
    }
    let selected = activities.firstIndex { $0.id == selectedID } ?? 0
    firstShown = min(firstShown, selected)
    // There may be more room than before.
    while firstShown > 0,
      fittingCards(activities, from: firstShown - 1, now: now, columns, room).end
        == activities.count
    {
      firstShown -= 1
    }
    while true {
      let fitting = fittingCards(activities, from: firstShown, now: now, columns, room)
      guard fitting.end <= selected, firstShown < selected else { return fitting.rows }
      firstShown += 1
    }
  }

  private func fittingCards(
    _ activities: [Activity], from first: Int, now: Double, _ columns: Int, _ room: Int
  ) -> (rows: [StyledRow], end: Int) {
    var rows: [StyledRow] = []
    var index = first
    while index < activities.count {
      var card = Card(activities[index], now: now)
      card.isSelected = activities[index].id == selectedID
      card.alert = alerts[activities[index].id]?.text
      let more = card.rows(columns: columns)
      // A row is left to say how many there are below.
      let isLast = index == activities.count - 1
      let left = room - rows.count - (isLast ? 0 : 1)
      // What doesn't fit waits below, unless there would be nothing else.
      guard more.count <= left || index == first else { break }
      rows += more.prefix(max(0, left))
      index += 1
    }
    if index < activities.count {
      rows.append(StyledRow("↓ \(activities.count - index) more", .dim).centered(columns: columns))
    }
    return (rows, index)
  }

  private func footer(_ columns: Int) -> StyledRow {
    if let prompt {
      return StyledRow("action: \(prompt)▏", .bold).fitted(columns)
    }
    if let notice { return StyledRow(notice, .bold).fitted(columns) }
    let keys =
      selectedID == nil
      ? "↑↓ select · space island · q quit"
      : "d dismiss · a action · esc · q quit"
    return StyledRow(keys, .dim).fitted(columns)
  }
}
