internal import ActivityClient

/// `watch` for a pipe: a line for each change, as soon as it is known.
struct WatchLines {
  private let follower: Follower
  private let asJSON: Bool

  /// - Parameter asJSON: whether to write the daemon's events, and nothing of the connection.
  init(_ follower: Follower, asJSON: Bool) {
    self.follower = follower
    self.asJSON = asJSON
  }

  /// Goes on until it is stopped, nobody reads, or the daemon refuses to be followed.
  func run() throws(Failure) {
    while true {
      guard let change = try follower.change(or: Output.pipe) else {
        Output.endIfUnread()
        continue
      }
      if case .event(let event) = change, asJSON {
        Output.json(event.line)
      } else if !asJSON {
        lines(change).forEach(Output.line)
      }
    }
  }

  private func lines(_ change: Follower.Change) -> [String] {
    switch change {
    case .connected: ["# connected to \(follower.address)"]
    case .disconnected(let reason, let retryIn):
      ["# " + Description.away(because: reason, retryIn: retryIn)]
    case .reset(let reason): ["# all anew (\(reason))"]
    case .synced(let count, let gone):
      gone.map { "dismiss \($0) (gone)" } + ["# in step, told of \(count)"]
    case .passed(let passing): ["\(Self.verb(passing.state)) \(passing.id) (nobody said so)"]
    case .event(let event): [text(event)]
    case .done, .refused: []
    }
  }

  private func text(_ event: Event) -> String {
    var words = [event.name, event.id ?? ""]
    if let reason = event.line.string("reason") { words.append("(\(reason))") }
    if let activity = event.id.flatMap({ follower.board[$0] }) {
      words.append(activity.state.rawValue)
      let content = Content(activity.contentState, now: follower.clock.now)
      if let headline = content.headline { words.append(headline) }
      for fact in content.facts {
        words.append("\(fact.label) \(fact.value.text(now: follower.clock.now))")
      }
    }
    if let alert = event.alert { words.append("🔔 \(alert.stringValue ?? alert.text)") }
    return words.joined(separator: " ")
  }

  private static func verb(_ state: Activity.State) -> String {
    switch state {
    case .stale: "stale"
    case .ended: "end"
    case .dismissed: "dismiss"
    case .pending, .active: state.rawValue
    }
  }
}
