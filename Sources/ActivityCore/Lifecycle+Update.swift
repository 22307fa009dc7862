extension Lifecycle {
  /// Replaces the content of a pending or live activity, or just keeps it from going stale.
  func update(_ update: Update, id: String, on current: Activity?) throws(Refusal) -> Decision {
    let stale = try staleMoment(update.stale, source: update.source)
    var startDate: Instant?
    if let start = update.start { startDate = try self.startDate(start) }
    guard let current else { throw unknown(id) }
    guard current.state == .pending || current.state.isLive else {
      throw Refusal(
        .ended, "this activity is \(current.state.rawValue) and takes no more updates",
        version: current.version)
    }
    try checkVersion(update.ifVersion, of: current)
    let mark = watermark(of: current)
    try checkNotInFuture(update.timestamp)
    try checkOrder(update.timestamp, after: mark, of: current, "the newest one accepted")
    try checkRank(of: update.source, on: current)
    if let full = fullForOutcomes { throw full.value }

    let instant = instant(of: update.timestamp, over: mark)
    var activity = raised(current, to: instant)
    if let startDate { try activity.move(to: startDate) }
    activity.apply(update, stale: stale, at: now)
    if let content = update.alert { activity.alert = alert(content, on: activity) }
    try checkSize(of: activity)
    guard
      activity.differs(from: current) || current.state == .stale && activity.state != .stale
        || update.alert != nil
    else { return noop(at: instant, on: current) }

    var transition = changing(consume activity)
    transition.priority = update.priority
    return .applied(transition)
  }
}

extension Activity {
  fileprivate mutating func move(to date: Instant) throws(Refusal) {
    guard state == .pending else {
      throw Refusal(
        .badValue, "only a pending activity can be moved; this one is \(state.rawValue)",
        key: "start-date")
    }
    startDate = date
  }

  /// Takes over what an update says, but for its start-date and alert.
  fileprivate mutating func apply(_ update: Update, stale: Moment?, at now: Instant) {
    if let content = update.contentState { contentState = content }
    if let score = update.relevanceScore { relevanceScore = score }
    url = url.edited(by: update.url)
    links = links.edited(by: update.links)
    source = update.source
    if let paths = update.sensitive { sensitive = paths }
    staleDate = stale?.resolved(from: state == .pending ? startDate : now)
    if state != .pending {
      state = staleDate.map { $0 <= now } ?? false ? .stale : .active
    }
  }

  /// Whether it says or does anything else than `other`.
  fileprivate func differs(from other: Activity) -> Bool {
    contentState != other.contentState || relevanceScore != other.relevanceScore
      || url != other.url || links != other.links || source != other.source
      || staleDate != other.staleDate || startDate != other.startDate
      || sensitive != other.sensitive
  }
}

extension Optional<JSONText> {
  fileprivate func edited(by edit: Edit) -> JSONText? {
    switch edit {
    case .keep: self
    case .remove: nil
    case .set(let text): text
    }
  }
}
