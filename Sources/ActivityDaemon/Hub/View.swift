internal import ActivityCore

/// The sessions that see the same activities, and the same of them.
///
/// Those *in step* know everything up to the last turn: they are sent the same bytes, gathered once
/// for all. The *others* are blocked, catching up or have something of their own (a dismissal, a
/// pace); each has a dirty set.
final class View {
  let interest: Interest
  let surface: Surface
  private(set) var inStep: [Session] = []
  private(set) var others: [Session] = []
  /// This turn's lines for those in step, as ranges of the hub's arena; neighbours are merged.
  private(set) var lines: [Range<Int>] = []
  /// The dispatch that found this view last, so that none finds it twice.
  var stamp = 0

  init(interest: Interest, surface: Surface) {
    self.interest = interest
    self.surface = surface
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

/// The views that something is shown in; most often it is one.
private enum ViewList {
  case one(View)
  case several([View])

  var count: Int {
    switch self {
    case .one: 1
    case .several(let views): views.count
    }
  }

  func first(where isWanted: (View) -> Bool) -> View? {
    switch self {
    case .one(let view): isWanted(view) ? view : nil
    case .several(let views): views.first(where: isWanted)
    }
  }

  mutating func add(_ view: View) {
    switch self {
    case .one(let other): self = .several([other, view])
    case .several(var views):
      // Lest the array be copied.
      self = .one(view)
      views.append(view)
      self = .several(views)
    }
  }
}

extension ViewList? {
  fileprivate mutating func add(_ view: View) {
    if self == nil { self = .one(view) } else { self?.add(view) }
  }

  /// Nil is what remains of the last one.
  fileprivate mutating func remove(_ view: View) {
    guard case .several(var views) = self else {
      self = nil
      return
    }
    self = nil
    views.removeAll { $0 === view }
    self = views.count == 1 ? .one(views[0]) : .several(views)
  }
}

/// All views, found by what they show.
struct Views {
  private var byChannel: [Name: ViewList] = [:]
  private var byID: [Name: ViewList] = [:]
  private var byType: [Name: ViewList] = [:]
  private var all: ViewList?
  private var count = 0
  private var stamp = 0
  private var found: [View] = []

  var isEmpty: Bool { count == 0 }

  /// The view of this interest on a surface, which sessions with an equal one share; made if there
  /// is none yet.
  mutating func view(of interest: Interest, on surface: Surface = .private) -> View {
    if let view = view(with: interest, on: surface) { return view }
    let view = View(interest: interest, surface: surface)
    count += 1
    for channel in interest.channels { byChannel[channel].add(view) }
    for id in interest.ids { byID[id].add(view) }
    for type in interest.types { byType[type].add(view) }
    if interest.all { all.add(view) }
    return view
  }

  /// Looked for in the shortest of the lists that it must be in.
  private func view(with interest: Interest, on surface: Surface) -> View? {
    var shortest: ViewList?
    func consider(_ list: ViewList?) -> Bool {
      guard let list else { return false }
      if list.count < shortest?.count ?? .max { shortest = list }
      return true
    }
    guard interest.channels.allSatisfy({ consider(byChannel[$0]) }),
      interest.ids.allSatisfy({ consider(byID[$0]) }),
      interest.types.allSatisfy({ consider(byType[$0]) }), !interest.all || consider(all)
    else { return nil }
    return shortest?.first { $0.surface == surface && $0.interest == interest }
  }

  /// Forgets a view that no session has any more.
  mutating func removeIfEmpty(_ view: View) {
    guard view.sessionCount == 0 else { return }
    count -= 1
    for channel in view.interest.channels { byChannel[channel].remove(view) }
    for id in view.interest.ids { byID[id].remove(view) }
    for type in view.interest.types { byType[type].remove(view) }
    if view.interest.all { all.remove(view) }
  }

  /// The views that hold an activity, each once.
  mutating func holding(_ activity: Activity) -> [View] {
    stamp += 1
    found.removeAll(keepingCapacity: true)
    for channel in activity.channels { collect(byChannel[Name(channel)], activity) }
    if !byID.isEmpty { collect(byID[Name(activity.id)], activity) }
    if !byType.isEmpty { collect(byType[Name(activity.attributesType)], activity) }
    collect(all, activity)
    return found
  }

  private mutating func collect(_ views: ViewList?, _ activity: Activity) {
    switch views {
    case nil: break
    case .one(let view): collect(view, activity)
    case .several(let views): for view in views { collect(view, activity) }
    }
  }

  private mutating func collect(_ view: View, _ activity: Activity) {
    guard view.stamp != stamp else { return }
    view.stamp = stamp
    if let reach = view.interest.reach, !reach.holds(activity) { return }
    found.append(view)
  }
}
