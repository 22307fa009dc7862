/// The rules of an activity's life: what each command does to it, and what the passing of time does.
///
/// Theory of operation. This is one pure function on one activity:
/// `(command, activity?, now, limits) -> transition or refusal`. It knows no tables, no sessions
/// and no store, so it can run against a row from anywhere.
///
///     start (start-date ahead) -> pending -- start-date --> active
///     pending -- cancel/end --> dismissed, never shown
///     start -> active -- stale-date --> stale -- update --> active
///     active | stale -- end, or its lifetime is over --> ended -- dismissal-date --> dismissed
///
/// Two rules hold everywhere: a refusal changes nothing, and `version` rises by one with every
/// change that isn't a noop. Checks are made in the order that PROTOCOL.md states: existence,
/// if-version, timestamp, source-priority, limits, payload size, and only then noop.
package struct Lifecycle {
  package var now: Instant
  /// They are many, and the same for all commands.
  private let boxedLimits: Box<Limits>
  /// Who asks: a token's name, a uid or a listener.
  package var actor: String?
  /// What the actor may read and publish; nil for everything.
  package var reach: Reach?
  /// Why nothing more can be taken in, if a limit that the caller counts has been reached.
  var fullForActivities: Box<Refusal>?
  var fullForOutcomes: Box<Refusal>?

  package init(
    now: Instant, limits: Limits, actor: String? = nil, fullForActivities: Refusal? = nil
  ) {
    self.init(now: now, limits: Box(limits), actor: actor)
    self.fullForActivities = fullForActivities.map { Box($0) }
  }

  init(now: Instant, limits: Box<Limits>, actor: String? = nil) {
    self.now = now
    boxedLimits = limits
    self.actor = actor
  }

  var limits: Limits { boxedLimits.value }

  /// Decides a command on the newest generation of its id.
  ///
  /// `current` must have no deadline due at `now`: see `due(_:)`.
  package func decide(_ command: Command, id: String, on current: Activity?) -> Decision {
    do throws(Refusal) {
      if let reach { try check(command, within: reach, id: id, on: current) }
      switch command {
      case .start(let start): return try self.start(start, id: id, on: current)
      case .update(let update): return try self.update(update, id: id, on: current)
      case .end(let end): return try self.end(end, id: id, on: current)
      case .cancel(let cancel): return try self.cancel(cancel, id: id, on: current)
      }
    } catch {
      return .refused(error)
    }
  }
}

/// What a command comes to.
package enum Decision: Equatable, Sendable {
  case refused(Refusal)
  /// Nothing new, but the watermark may rise to this.
  case noop(watermark: Instant?)
  /// A transition; where it opens a generation in the place of another, that is dismissed first.
  case applied(Transition, after: Transition? = nil, ignored: [String] = [])
}

// MARK: - What several commands share

extension Lifecycle {
  /// The change that makes the present version what `activity` says: by the actor, or by a
  /// deadline that was due.
  func changing(_ activity: consuming Activity, dueAt: Instant? = nil) -> Transition {
    let basis = activity.version
    activity.version += 1
    activity.dueAt = dueAt
    activity.changedBy = dueAt == nil ? actor : nil
    return Transition(activity: consume activity, basis: basis)
  }

  /// An alert that comes with the next change; a pending activity's sounds when it starts.
  func alert(_ content: JSONText, on activity: Activity) -> Alert {
    let version = activity.state == .pending ? 0 : activity.version + 1
    return Alert(content: content, version: version, seq: 0, at: now)
  }

  /// Nothing new; the watermark rises if the instant is later.
  func noop(at instant: Instant, on current: Activity) -> Decision {
    let mark = watermark(of: current)
    return .noop(watermark: mark.map { instant > $0 } ?? true ? instant : nil)
  }

  func unknown(_ id: String) -> Refusal {
    Refusal(.unknownActivity, "there is no activity with this id", key: "id")
  }

  /// The same activity, its watermark not below the instant of an accepted command.
  func raised(_ current: Activity, to instant: Instant) -> Activity {
    var activity = current
    activity.watermark = max(instant, watermark(of: current) ?? instant)
    return activity
  }

  /// The newest timestamp accepted so far; nil if it shows that the clock was set back since.
  func watermark(of current: Activity?) -> Instant? {
    guard let mark = current?.watermark, mark <= now + limits.timestampAheadMax else { return nil }
    return mark
  }

  /// The instant a command speaks of: its timestamp, or the later of now and the watermark.
  func instant(of timestamp: Timestamp?, over mark: Instant?) -> Instant {
    timestamp?.instant ?? max(now, mark ?? now)
  }

  func checkNotInFuture(_ timestamp: Timestamp?) throws(Refusal) {
    guard let timestamp, timestamp.instant > now + limits.timestampAheadMax else { return }
    let ahead = (timestamp.instant - now).microseconds / 1_000_000
    let allowed = limits.timestampAheadMax.microseconds / 1_000_000
    throw Refusal(
      .timestampInFuture,
      "timestamp is \(ahead) s ahead of the daemon's clock; at most \(allowed) s are allowed",
      key: "timestamp")
  }

  func checkOrder(
    _ timestamp: Timestamp?, after mark: Instant?, of current: Activity?, _ what: String
  ) throws(Refusal) {
    guard let timestamp, let mark, timestamp.isOlder(than: mark) else { return }
    throw Refusal(
      .outOfOrder, "timestamp is older than \(what)", key: "timestamp", version: current?.version)
  }

  func checkVersion(_ expected: Version?, of current: Activity) throws(Refusal) {
    guard let expected, expected != current.version else { return }
    throw Refusal(
      .versionConflict, "if-version is \(expected), but the version is \(current.version)",
      key: "if-version", version: current.version)
  }

  /// A source-priority above 0 is a lease until the stale-date.
  func checkRank(of source: Source?, on current: Activity) throws(Refusal) {
    guard let holder = current.source, holder.priority > 0,
      let staleDate = current.staleDate, staleDate > now, current.state != .stale,
      source?.name != holder.name, (source?.priority ?? 0) < holder.priority
    else { return }
    throw Refusal(
      .outranked,
      "source-priority \(source?.priority ?? 0) is below \(holder.priority) of the source that "
        + "holds this activity until its stale-date",
      key: "source-priority", version: current.version)
  }

  func checkSize(of activity: Activity) throws(Refusal) {
    let payload = activity.payloadBytes
    guard payload <= limits.payloadBytesMax else {
      throw Refusal(
        .payloadTooLarge,
        "attributes and content-state together are \(payload) bytes; at most "
          + "\(limits.payloadBytesMax) are allowed",
        key: "content-state")
    }
    let line = activity.startLineBytesMax
    guard line <= limits.eventBytesMax else {
      throw Refusal(
        .payloadTooLarge,
        "the start event could be \(line) bytes; at most \(limits.eventBytesMax) are allowed")
    }
  }

  /// The stale-date that a start or update names, or the configured default.
  func staleMoment(_ stale: Moment?, source: Source?) throws(Refusal) -> Moment? {
    if let stale { return stale }
    if let span = limits.staleAfterDefault { return .after(span) }
    if limits.requiresStaleDate {
      throw Refusal(.missingKey, "stale-date or stale-after is required here", key: "stale-date")
    }
    if let source, source.priority > 0 {
      throw Refusal(
        .missingKey, "source-priority above 0 needs a stale-date: until then it holds",
        key: "stale-date")
    }
    return nil
  }

  /// When it starts: now, or a start-date ahead.
  func startDate(_ start: Moment) throws(Refusal) -> Instant {
    let date = start.resolved(from: now)
    guard date <= now + limits.startAheadMax else {
      let days = limits.startAheadMax.microseconds / 86_400_000_000
      throw Refusal(.badValue, "start-date is more than \(days) days ahead", key: "start-date")
    }
    guard date >= now - limits.startPastMax else {
      let late = (now - date).microseconds / 1_000_000
      throw Refusal(.dateInPast, "start-date is \(late) s in the past", key: "start-date")
    }
    return max(now, date)
  }
}

extension Activity {
  var payloadBytes: Int { attributes.bytes.count + contentState.bytes.count }

  /// An upper bound for the length of the longest event line that can tell of this activity.
  var startLineBytesMax: Int {
    // Keys, punctuation, numbers and the cursor of a start event, at their longest.
    let fixed = 720
    var names = id.escapedBytesMax + attributesType.escapedBytesMax
    for channel in channels { names += channel.escapedBytesMax + 3 }
    let linked = (url?.bytes.count ?? 0) + (links?.bytes.count ?? 0)
    // A `null` may be longer than what it hides.
    let payload = sensitive.isEmpty ? payloadBytes : max(payloadBytes, forPublic.payloadBytes)
    return fixed + names + linked + (alert?.content.bytes.count ?? 0) + payload
  }
}

extension String {
  /// The length of this name as a JSON string at most; names have no control characters.
  var escapedBytesMax: Int {
    withBytes { bytes in
      var count = bytes.byteCount + 2
      for offset in 0..<bytes.byteCount {
        let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { count += 1 }
      }
      return count
    }
  }
}
