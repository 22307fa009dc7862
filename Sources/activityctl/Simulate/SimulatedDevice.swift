internal import ActivityClient

/// A device with its ways: a follower that reads in fits, asks to be told seldom, or breaks off and
/// comes back, at times as if new.
final class SimulatedDevice {
  enum Temper {
    case steady
    /// Reads nothing for seconds, then all that has come.
    case fitful
    /// Asks for a batch every few seconds.
    case unhurried
    /// Loses its connection, and now and then its memory.
    case flaky

    var isSlow: Bool { self == .fitful || self == .unhurried }
  }

  let name: String
  private let temper: Temper
  private var generator: SeededGenerator
  private var follower: Follower
  private var isCalm = false
  /// Whether it was interrupted with more to take: no `poll` will tell.
  private(set) var isBehind = false
  /// Whether what comes is news, and not the state.
  private var isInStep = false
  private var known: [String: (generation: Int, version: Int)] = [:]
  private var swiped: [String: Int] = [:]
  /// When a fitful one reads again, or a flaky one breaks off.
  private var moodAt: ContinuousClock.Instant

  /// How many changes are taken before others have their turn.
  private static let changesMax = 200
  private static let swipeChance = 0.002

  /// - Parameter identity: with which it introduces itself, but for the name.
  init(
    _ name: String, at address: ServerAddress, as identity: Identity, channels: [String],
    temper: Temper, generator: SeededGenerator
  ) {
    self.name = name
    self.temper = temper
    self.generator = generator
    var subscription = Subscription()
    subscription.channels = channels
    var identity = identity
    identity.device = name
    if temper == .unhurried { identity.interval = .seconds(3) }
    follower = Follower(address, of: subscription, identity: identity)
    moodAt = .now
    moodAt = .now + mood()
  }

  var channels: [String] { follower.subscription.channels }

  /// For `poll`; nil while it doesn't want to read.
  var descriptor: CInt? {
    isAt(.fitful) && ContinuousClock.now < moodAt ? nil : follower.descriptor
  }

  var isConnected: Bool { follower.isConnected }

  /// From now on it reads, and stays.
  func calmDown() { isCalm = true }

  /// Whether this is its temper, and it still gives way to it.
  private func isAt(_ temper: Temper) -> Bool { self.temper == temper && !isCalm }

  private func mood() -> Duration {
    switch temper {
    case .fitful: .seconds(Double.random(in: 1...8, using: &generator))
    case .flaky: .seconds(Double.random(in: 2...20, using: &generator))
    case .steady, .unhurried: .zero
    }
  }
}

// MARK: - Its life

extension SimulatedDevice {
  /// Takes what has come, and does as its temper is.
  ///
  /// - Parameter now: the daemon's clock.
  /// - Throws: what no repetition cures.
  func turn(now: () -> Double, _ seen: inout Measurements) throws(Failure) {
    let isMoved = ContinuousClock.now >= moodAt
    if isAt(.fitful), !isMoved { return }
    if isAt(.flaky), isMoved { breakOff() }
    isBehind = true
    do throws(ClientError) {
      for _ in 0..<Self.changesMax where isBehind {
        if let change = try follower.next(within: .zero) {
          take(change, now: now(), &seen)
        } else {
          isBehind = false
        }
      }
    } catch {
      throw Failure(error)
    }
    if isMoved { moodAt = .now + mood() }
  }

  private func breakOff() {
    guard follower.isConnected else { return }
    if generator.chance(0.25) {
      follower = Follower(
        follower.address, of: follower.subscription, identity: follower.identity)
      (isInStep, known) = (false, [:])
    } else {
      follower.interrupt(for: .seconds(Double.random(in: 0.1...4, using: &generator)))
    }
  }

  private func take(_ change: Follower.Change, now: Double, _ seen: inout Measurements) {
    switch change {
    case .synced: isInStep = true
    case .disconnected:
      isInStep = false
      seen.interruptions += 1
    case .reset: seen.resets += 1
    case .event(let event): take(event, now: now, &seen)
    case .connected, .passed, .done, .refused: break
    }
  }

  private func take(_ event: Event, now: Double, _ seen: inout Measurements) {
    guard let id = event.id else { return }
    seen.events += 1
    if let before = known[id], before.generation == event.generation {
      let skipped = max(0, event.version - before.version - 1)
      if isInStep { seen.conflated += skipped } else { seen.skippedAway += skipped }
    }
    known[id] = event.name == "dismiss" ? nil : (event.generation, event.version)
    if isInStep { measure(event, now: now, &seen) }
    if event.name == "update", !isCalm, generator.chance(Self.swipeChance) {
      swipe(id, event.generation, &seen)
    }
  }

  private func measure(_ event: Event, now: Double, _ seen: inout Measurements) {
    if let due = event.line.number("at") {
      if !temper.isSlow { seen.deadlines.record(now - due) }
    } else if let timestamp = event.line.number("timestamp"), event.line["reason"] != "dismissed" {
      if temper.isSlow {
        seen.slow.record(now - timestamp)
      } else if WriteTime.isUrgent(timestamp) {
        seen.direct.record(now - timestamp)
      } else {
        seen.gathered.record(now - timestamp)
      }
    }
  }

  /// Somebody wants to see this one no more.
  private func swipe(_ id: String, _ generation: Int, _ seen: inout Measurements) {
    do throws(ClientError) {
      try follower.dismiss(id)
      swiped[id] = generation
      seen.swipes += 1
    } catch {
      // There is no connection just now; people try again.
    }
  }
}

// MARK: - What it shows

extension SimulatedDevice {
  /// How what it shows differs from what there is, in words; nil if it doesn't.
  func difference(from wanted: some Collection<Activity>) -> String? {
    var missing = 0
    for activity in wanted {
      guard let shown = follower.board[activity.id] else {
        guard swiped[activity.id] == activity.generation else {
          return "\(activity.id) isn't shown"
        }
        missing += 1
        continue
      }
      guard shown.isShown(as: activity) else {
        return "\(activity.id) is shown as version \(shown.version), \(shown.state), and is "
          + "\(activity.version), \(activity.state)"
      }
    }
    let surplus = follower.board.count + missing - wanted.count
    return surplus == 0 ? nil : "\(Description.count(surplus, "activity", "activities")) too many"
  }
}

extension Activity {
  /// Whether a device shows this just as it would show the other.
  fileprivate func isShown(as other: Activity) -> Bool {
    generation == other.generation && version == other.version && state == other.state
      && contentState == other.contentState && attributes == other.attributes
      && relevanceScore == other.relevanceScore && dismissalDate == other.dismissalDate
  }
}
