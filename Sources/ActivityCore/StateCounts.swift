/// How many visible rows are in each state.
struct StateCounts {
  private var pending = 0
  private var active = 0
  private var stale = 0
  private var ended = 0
  private var dismissed = 0

  subscript(state: State) -> Int {
    get {
      switch state {
      case .pending: pending
      case .active: active
      case .stale: stale
      case .ended: ended
      case .dismissed: dismissed
      }
    }
    set {
      switch state {
      case .pending: pending = newValue
      case .active: active = newValue
      case .stale: stale = newValue
      case .ended: ended = newValue
      case .dismissed: dismissed = newValue
      }
    }
  }
}

// MARK: - Figures

extension Coordinator {
  /// Visible rows in this state.
  package func count(_ state: State) -> Int { counts[state] }

  package var deadlineCount: Int { deadlines.count }

  package var outcomeCount: Int { outcomes.count }
}
