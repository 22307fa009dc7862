/// What a device shows: it is told of events, and of time.
///
/// Events may come again and out of order; the newest of each activity counts. With nobody to
/// tell it anything, it obeys the deadlines that it holds.
public struct Board: Sendable {
  /// What a deadline did.
  public struct Passing: Hashable, Sendable {
    /// The activity.
    public let id: String
    /// What it is now: `stale`, `ended` or `dismissed`.
    public let state: Activity.State

    /// Says what a deadline did.
    public init(id: String, state: Activity.State) {
      self.id = id
      self.state = state
    }
  }

  /// How long one stays that has ended because its time was over, and nobody says for how long.
  public static let secondsShownAfterEnd: Double = 4 * 3_600

  private var byID: [String: Activity] = [:]
  /// `advance` has nothing to do before. It may be too early, never too late: a change sets it by
  /// the activity that it concerns, without a look at the others.
  private var earliestDeadline = Double.infinity
  /// While the whole state is being told: what has been confirmed.
  private var confirmed: Set<String>?

  /// An empty board.
  public init() {}

  /// What is shown, in order.
  public var activities: [Activity] { byID.values.sorted(by: Activity.isShownBefore) }

  /// How many activities are shown.
  public var count: Int { byID.count }

  /// The activity of this id, if it is shown.
  public subscript(id: String) -> Activity? { byID[id] }
}

extension Board {
  /// Takes an event over; answers whether that changed anything.
  @discardableResult
  public mutating func apply(_ event: Event) -> Bool {
    guard let id = event.id else { return false }
    let present = byID[id]
    switch event.name {
    case "start", "update", "stale", "end":
      confirmed?.insert(id)
      if let present {
        let news = (event.generation, event.version)
        let held = (present.generation, present.version)
        guard news >= held else { return false }
        if news == held { return showAgain(event, in: present) }
      }
      if var activity = present, activity.generation == event.generation {
        activity.update(event.line)
        show(activity)
      } else if let activity = Activity(event.line) {
        show(activity)
      }
      return true
    case "dismiss":
      return remove(id, upTo: event.generation)
    default:
      return false
    }
  }

  /// The same version is told again, with all that belongs to it: as it is shown on another surface,
  /// perhaps.
  private mutating func showAgain(_ event: Event, in present: Activity) -> Bool {
    guard let activity = Activity(event.line), activity != present else { return false }
    show(activity)
    return true
  }

  private mutating func show(_ activity: Activity) {
    byID[activity.id] = activity
    earliestDeadline = min(earliestDeadline, activity.nextDeadline ?? .infinity)
  }

  /// Takes an activity off, unless it is shown in a later generation; answers whether it did.
  @discardableResult
  public mutating func remove(_ id: String, upTo generation: Int) -> Bool {
    guard let present = byID[id], present.generation <= generation else { return false }
    byID[id] = nil
    return true
  }

  /// The whole state follows: what it doesn't name will go with `endState`.
  public mutating func beginState() { confirmed = [] }

  /// The state is complete; answers what had to go.
  @discardableResult
  public mutating func endState() -> [String] {
    guard let confirmed else { return [] }
    self.confirmed = nil
    let gone = byID.keys.filter { !confirmed.contains($0) }.sorted()
    for id in gone { byID[id] = nil }
    return gone
  }

  /// Does what is due by now, in seconds since 1970 by the daemon's clock; answers what that was.
  @discardableResult
  public mutating func advance(to now: Double) -> [Passing] {
    guard now >= earliestDeadline else { return [] }
    var passings: [Passing] = []
    for id in byID.keys.sorted() {
      while let state = byID[id]?.stateDue(by: now) {
        passings.append(Passing(id: id, state: state))
        if state == .dismissed { byID[id] = nil } else { byID[id]?.pass(to: state) }
      }
    }
    earliestDeadline = byID.values.compactMap(\.nextDeadline).min() ?? .infinity
    return passings
  }

  /// No later than `advance` will have something to do next; nil if it won't have.
  public var nextDeadline: Double? { earliestDeadline.isFinite ? earliestDeadline : nil }
}

extension Activity {
  /// The state that it should be in by now, if it isn't yet.
  fileprivate func stateDue(by now: Double) -> State? {
    switch state {
    case .active, .stale:
      if let endDate, endDate <= now { return .ended }
      if state == .active, let staleDate, staleDate <= now { return .stale }
      return nil
    case .ended: return dismissalDate.map { $0 <= now } ?? false ? .dismissed : nil
    case .pending, .dismissed: return nil
    }
  }

  /// As the daemon's own event would leave it: a date that is over is none that is ahead.
  fileprivate mutating func pass(to state: State) {
    self.state = state
    staleDate = nil
    guard state == .ended else { return }
    dismissalDate = endDate.map { $0 + Board.secondsShownAfterEnd }
    endDate = nil
    reason = "lifetime"
  }

  fileprivate var nextDeadline: Double? {
    switch state {
    case .active: [staleDate, endDate].compactMap { $0 }.min()
    case .stale: endDate
    case .ended: dismissalDate
    case .pending, .dismissed: nil
    }
  }
}
