import ActivityCore
import TestSupport

// MARK: - What a random history is made of; edges are likelier than what lies between

extension SeededGenerator {
  /// A later instant: just before, at or just after the next deadline, or any span later.
  mutating func instant(after now: Instant, deadline: Instant?) -> Instant {
    let microsecond = TimeSpan(microseconds: 1)
    if let deadline, deadline > now, !chance(oneIn: 4) {
      return pick([deadline - microsecond, deadline, deadline + microsecond])
    }
    return now + pick([microsecond, .seconds(1), .minutes(1), .hours(1), .hours(5), .hours(26)])
  }

  mutating func interest() -> Interest {
    var interest = Interest()
    interest.all = chance(oneIn: 4)
    if chance(oneIn: 2) { interest.channels = [pick(["x", "y", "z"]), pick(["x", "y", "z"])] }
    if chance(oneIn: 3) { interest.ids = [pick(["a", "b", "c"]), "nobody"] }
    if chance(oneIn: 3) { interest.types = [pick(["T", "U"])] }
    return interest
  }

  mutating func command(at now: Instant, version: Version) -> Command {
    switch Int.random(in: 0..<10, using: &self) {
    case 0..<4: return .start(start(at: now))
    case 4..<8: return .update(update(at: now, version: version))
    case 8:
      var end = End()
      end.contentState = chance(oneIn: 2) ? content() : nil
      end.dismissal = pick([nil, .byDefault, .immediate, .when(moment(at: now))])
      end.timestamp = timestamp(at: now)
      end.ifVersion = ifVersion(version)
      end.alert = chance(oneIn: 4) ? content() : nil
      return .end(end)
    default:
      var cancel = Cancel()
      cancel.timestamp = timestamp(at: now)
      cancel.ifVersion = ifVersion(version)
      return .cancel(cancel)
    }
  }

  private mutating func start(at now: Instant) -> Start {
    var start = Start(attributesType: pick(["T", "T", "U"]), contentState: content())
    start.channels = pick([[], ["x"], ["y"], ["x", "z"]])
    start.relevanceScore = pick([nil, 0, 1, 1, -1])
    start.stale = chance(oneIn: 2) ? moment(at: now) : nil
    start.start = chance(oneIn: 3) ? moment(at: now) : nil
    start.lifetime = pick([nil, .minutes(10), .hours(12), .hours(13)])
    start.alert = chance(oneIn: 4) ? content() : nil
    start.timestamp = timestamp(at: now)
    start.ifExists = pick([.error, .update, .replace])
    start.source = source()
    return start
  }

  private mutating func update(at now: Instant, version: Version) -> Update {
    var update = Update()
    update.contentState = chance(oneIn: 4) ? nil : content()
    update.relevanceScore = pick([nil, nil, 0, 1, 2])
    update.stale = chance(oneIn: 2) ? moment(at: now) : nil
    update.start = chance(oneIn: 6) ? moment(at: now) : nil
    update.alert = chance(oneIn: 4) ? content() : nil
    update.url = pick([.keep, .keep, .remove, .set(content())])
    update.timestamp = timestamp(at: now)
    update.ifVersion = ifVersion(version)
    update.source = source()
    return update
  }

  private mutating func content() -> JSONText { json(pick(["0", "1", "2"])) }

  private mutating func moment(at now: Instant) -> Moment {
    pick([
      .at(now), .at(now - .seconds(1)), .at(now - .minutes(2)), .after(.seconds(0)),
      .after(.seconds(30)), .after(.minutes(10)), .at(now + .minutes(10)), .after(.hours(9)),
    ])
  }

  private mutating func timestamp(at now: Instant) -> Timestamp? {
    let instant = pick([now, now - .seconds(1), now + .seconds(60), now + .seconds(61)])
    return pick([
      nil, nil, nil, Timestamp(instant: instant, isWholeSecond: false),
      Timestamp(instant: instant.wholeSecond, isWholeSecond: true),
    ])
  }

  private mutating func ifVersion(_ version: Version) -> Version? {
    pick([nil, nil, nil, nil, version, version, version - 1])
  }

  private mutating func source() -> Source? {
    pick([
      nil, nil, Source(name: "p", priority: 0), Source(name: "p", priority: 2),
      Source(name: "q", priority: 1),
    ])
  }
}
