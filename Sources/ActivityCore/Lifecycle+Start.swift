extension Start {
  /// Of what makes two starts the same: type, attributes, channels, content and what of it is
  /// sensitive; not the dates.
  var digest: Digest {
    var digest = Digest()
    digest.add(attributesType)
    digest.add(attributes.bytes)
    digest.add(contentState.bytes)
    for channel in channels.sorted() { digest.add(channel) }
    // A start that would hide more isn't the same again.
    if let sensitive, !sensitive.isEmpty {
      digest.add("sensitive")
      for text in sensitive.map(\.text).sorted() { digest.add(text) }
    }
    return digest
  }

  /// The same as an update of what exists already.
  var asUpdate: Update {
    var update = Update()
    update.contentState = contentState
    update.relevanceScore = relevanceScore
    update.priority = priority
    update.stale = stale
    update.start = start
    update.alert = alert
    if let url { update.url = .set(url) }
    if let links { update.links = .set(links) }
    update.timestamp = timestamp
    update.source = source
    update.sensitive = sensitive
    return update
  }
}

extension Lifecycle {
  /// Starts a new generation, or treats the start as `if-exists` says.
  func start(_ start: Start, id: String, on current: Activity?) throws(Refusal) -> Decision {
    let startDate = try self.startDate(start.start ?? .at(now))
    let stale = try staleMoment(start.stale, source: start.source)
    if let lifetime = start.lifetime, lifetime > limits.lifetimeMax {
      throw Refusal(
        .badValue,
        "lifetime is above \(limits.lifetimeMax.microseconds / 1_000_000) s", key: "lifetime")
    }
    if let current, current.state == .pending || current.state.isLive {
      switch start.ifExists {
      case .error: return try sameAgain(start, as: current)
      case .update: return try startAsUpdate(start, on: current)
      case .replace: break
      }
    }
    let mark = watermark(of: current)
    try checkNotInFuture(start.timestamp)
    try checkOrder(start.timestamp, after: mark, of: current, "the newest one accepted")
    if let current, current.state == .pending || current.state.isLive {
      try checkRank(of: start.source, on: current)
    }
    if let full = fullForOutcomes { throw full.value }
    if let full = fullForActivities, current == nil || current?.state == .dismissed {
      throw full.value
    }

    var dismissal: Transition?
    var basis = current?.version ?? 0
    if let current, current.state != .dismissed {
      dismissal = dismissing(current, because: .replaced, at: now)
      basis += 1
    }
    let instant = instant(of: start.timestamp, over: mark)
    var activity = Activity(
      id: id, attributesType: start.attributesType, attributes: start.attributes,
      channels: start.channels, contentState: start.contentState,
      watermark: max(instant, mark ?? instant), startDate: startDate,
      lifetime: start.lifetime ?? limits.lifetimeDefault, startDigest: start.digest,
      startedBy: actor, changedBy: actor)
    activity.startTimestamp = instant
    activity.version = basis + 1
    activity.staleDate = stale?.resolved(from: startDate)
    activity.fill(from: start, isPending: startDate > now, at: now)
    try checkSize(of: activity)

    var opening = Transition(activity: activity, basis: basis)
    opening.opensGeneration = true
    opening.entersView = activity.state != .pending
    opening.priority = start.priority
    return .applied(opening, after: dismissal)
  }

  /// 'The same again' is a noop; anything else already exists.
  private func sameAgain(_ start: Start, as current: Activity) throws(Refusal) -> Decision {
    guard current.startDigest == start.digest else {
      throw Refusal(
        .alreadyExists,
        "this id is \(current.state.rawValue) already; if-exists may be update or replace",
        key: "id", version: current.version)
    }
    try checkNotInFuture(start.timestamp)
    if let full = fullForOutcomes { throw full.value }
    return noop(at: instant(of: start.timestamp, over: watermark(of: current)), on: current)
  }

  private func startAsUpdate(_ start: Start, on current: Activity) throws(Refusal) -> Decision {
    guard Name(current.attributesType) == Name(start.attributesType),
      current.attributes == start.attributes,
      Set(texts: current.channels) == Set(texts: start.channels)
    else {
      throw Refusal(
        .alreadyExists,
        "this id is \(current.state.rawValue) with other attributes, type or channels; "
          + "if-exists may be replace",
        key: "id", version: current.version)
    }
    var update = start.asUpdate
    var ignored: [String] = []
    if start.lifetime != nil { ignored.append("lifetime") }
    if current.state != .pending, update.start != nil {
      update.start = nil
      ignored.append("start-date")
    }
    let decision = try self.update(update, id: current.id, on: current)
    guard case .applied(let transition, _, _) = decision else { return decision }
    return .applied(transition, ignored: ignored)
  }
}

extension Activity {
  /// Takes over what a start says, as pending or at once.
  fileprivate mutating func fill(from start: Start, isPending: Bool, at now: Instant) {
    relevanceScore = start.relevanceScore ?? 0
    url = start.url
    links = start.links
    source = start.source
    sensitive = start.sensitive ?? []
    if isPending {
      state = .pending
    } else if let staleDate, staleDate <= now {
      state = .stale
    }
    alert = start.alert.map { content in
      Alert(content: content, version: isPending ? 0 : version, seq: 0, at: now)
    }
  }
}
