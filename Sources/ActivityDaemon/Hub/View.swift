internal import ActivityCore

/// The sessions that see the same activities.
///
/// Those *in step* know everything up to the last turn: they are sent the same bytes, gathered once
/// for all. The *others* are blocked, catching up or have something of their own (a dismissal, a
/// pace); each has a dirty set.
final class View {
  let interest: Interest
  /// Of the interest: sessions with an equal one share the view.
  let key: Digest
  private(set) var inStep: [Session] = []
  private(set) var others: [Session] = []
  /// This turn's lines for those in step, as ranges of the hub's arena; neighbours are merged.
  private(set) var lines: [Range<Int>] = []
  /// The dispatch that found this view last, so that none finds it twice.
  var stamp = 0

  init(interest: Interest, key: Digest) {
    self.interest = interest
    self.key = key
  }

  var sessionCount: Int { inStep.count + others.count }

  func append(_ line: Range<Int>) {
    if let last = lines.last, last.upperBound == line.lowerBound {
      lines[lines.count - 1] = last.lowerBound..<line.upperBound
    } else {
      lines.append(line)
    }
  }

  func removeLines() {
    lines.removeAll(keepingCapacity: true)
  }

  func add(_ session: Session, inStep isInStep: Bool) {
    session.isInStep = isInStep
    if isInStep {
      session.viewIndex = Int32(inStep.count)
      inStep.append(session)
    } else {
      session.viewIndex = Int32(others.count)
      others.append(session)
    }
  }

  func remove(_ session: Session) {
    let index = Int(session.viewIndex)
    if session.isInStep {
      let last = inStep.removeLast()
      if last !== session {
        inStep[index] = last
        last.viewIndex = Int32(index)
      }
    } else {
      let last = others.removeLast()
      if last !== session {
        others[index] = last
        last.viewIndex = Int32(index)
      }
      // Most views have nobody here for most of the time.
      if others.isEmpty { others = [] }
    }
    session.isInStep = false
  }
}

/// All views, found by what they show.
struct Views {
  private var byKey: [Digest: View] = [:]
  private var byChannel: [String: [View]] = [:]
  private var byID: [String: [View]] = [:]
  private var byType: [String: [View]] = [:]
  private var all: [View] = []
  private var stamp = 0
  private var found: [View] = []

  var isEmpty: Bool { byKey.isEmpty }

  /// The view of this interest, made if there is none yet.
  mutating func view(of interest: Interest) -> View {
    var digest = Digest()
    interest.add(to: &digest)
    if let view = byKey[digest] { return view }
    let view = View(interest: interest, key: digest)
    byKey[digest] = view
    for channel in interest.channels { byChannel[channel, default: []].append(view) }
    for id in interest.ids { byID[id, default: []].append(view) }
    for type in interest.types { byType[type, default: []].append(view) }
    if interest.all { all.append(view) }
    return view
  }

  /// Forgets a view that no session has any more.
  mutating func removeIfEmpty(_ view: View) {
    guard view.sessionCount == 0 else { return }
    byKey[view.key] = nil
    for channel in view.interest.channels { byChannel.drop(view, from: channel) }
    for id in view.interest.ids { byID.drop(view, from: id) }
    for type in view.interest.types { byType.drop(view, from: type) }
    if view.interest.all { all.removeAll { $0 === view } }
  }

  /// The views that hold an activity, each once.
  mutating func holding(_ activity: Activity) -> [View] {
    stamp += 1
    found.removeAll(keepingCapacity: true)
    for channel in activity.channels { collect(byChannel[channel]) }
    if !byID.isEmpty { collect(byID[activity.id]) }
    if !byType.isEmpty { collect(byType[activity.attributesType]) }
    if !all.isEmpty { collect(all) }
    return found
  }

  private mutating func collect(_ views: [View]?) {
    guard let views else { return }
    for view in views where view.stamp != stamp {
      view.stamp = stamp
      found.append(view)
    }
  }
}

extension Dictionary where Key == String, Value == [View] {
  fileprivate mutating func drop(_ view: View, from key: String) {
    self[key]?.removeAll { $0 === view }
    if self[key]?.isEmpty ?? false { self[key] = nil }
  }
}
