package import ActivityCore

/// What a session is told about an activity.
package enum ActivityEvent: String, Sendable {
  case start, update, stale, end, dismiss

  /// The event for an activity's present state.
  ///
  /// - Parameter isKnown: whether the session holds this generation already.
  package init(_ state: State, isKnown: Bool) {
    switch state {
    case .dismissed: self = .dismiss
    case _ where !isKnown: self = .start
    case .pending, .active: self = .update
    case .stale: self = .stale
    case .ended: self = .end
    }
  }
}

/// Why a session is told to dismiss what isn't dismissed for all.
package enum SessionReason: String, Sendable {
  case unsubscribed, disabled
  /// By this device, earlier.
  case dismissed
}

/// Why a session must forget all that it shows.
package enum ResetReason: String, Sendable {
  case epoch, subscription, floor, ahead, enabled, surface
}

/// Why a session ends.
package enum ByeReason: String, Sendable {
  case quit, superseded, followed
  case unauthorized, revoked, expired
  case shuttingDown = "shutting-down"
  case notReading = "not-reading"
  case noAnswer = "no-answer"
  case halfClosed = "half-closed"
  case limitReached = "limit-reached"
}

/// Events: what a session is told without asking.
extension LineWriter {
  /// An event of an activity, but for its tail: many sessions share this much. `endEvent` is to
  /// follow.
  ///
  /// - Parameter alert: the one that a session of this kind hasn't heard yet.
  package mutating func beginEvent(
    _ event: ActivityEvent, _ activity: Activity, alert: Alert? = nil
  ) {
    beginObject()
    member("event", event.rawValue)
    identity(activity)
    if event != .dismiss {
      member("relevance-score", activity.relevanceScore)
      if event == .start {
        member("attributes-type", activity.attributesType)
        if !activity.channels.isEmpty { member("channels", activity.channels) }
        member("attributes", activity.attributes)
      }
      content(activity)
      if event == .start { member("start-date", activity.startDate) }
      dates(Told(activity), withStart: false)
    }
    member("at", activity.dueAt)
    member("reason", activity.reason?.rawValue)
    if let alert {
      member("alert", alert.content)
      member("alert-version", alert.version)
    }
  }

  /// A dismissal that concerns one session, but for its tail.
  package mutating func beginDismissal(of activity: Activity, for reason: SessionReason) {
    beginObject()
    member("event", ActivityEvent.dismiss.rawValue)
    member("id", activity.id)
    member("generation", activity.generation)
    member("version", activity.version)
    member("seq", activity.seq)
    member("state", State.dismissed.rawValue)
    member("reason", reason.rawValue)
  }

  /// The tail of an event: the cursor, if it is the last line of a turn.
  package mutating func endEvent(cursor: Cursor? = nil) {
    // In a buffer of its own it has no way to know that a member is before it.
    if let cursor {
      append(",\"cursor\":")
      string(cursor.text)
    }
    endLine()
  }

  package mutating func synced(_ cursor: Cursor, count: Int) {
    beginEvent("synced")
    member("cursor", cursor.text)
    member("count", count)
    endLine()
  }

  package mutating func reset(_ reason: ResetReason) {
    beginEvent("reset")
    member("reason", reason.rawValue)
    endLine()
  }

  package mutating func ping(now: Instant, cursor: Cursor?) {
    beginEvent("ping")
    member("now", now)
    member("cursor", cursor?.text)
    endLine()
  }

  /// For the publishers: what a person did.
  package mutating func action(
    _ action: Action, generation: Generation, version: Version, device: String
  ) {
    beginEvent("action")
    member("id", action.id)
    member("generation", generation)
    member("version", version)
    member("action-id", action.actionID)
    member("name", action.name)
    member("payload", action.payload)
    member("device", device)
    endLine()
  }

  /// For the publishers: a device dismissed an activity for itself.
  package mutating func dismissalFeedback(
    device: String, id: String, generation: Generation, version: Version
  ) {
    beginEvent("feedback")
    member("what", "dismissed")
    member("device", device)
    member("id", id)
    member("generation", generation)
    member("version", version)
    endLine()
  }

  /// - Parameter reconnectAfter: when it makes sense to come back.
  package mutating func bye(_ reason: ByeReason, reconnectAfter: TimeSpan? = nil) {
    beginEvent("bye")
    member("reason", reason.rawValue)
    member("reconnect-after", reconnectAfter)
    endLine()
  }

  /// The banner, 256 bytes at most.
  package mutating func welcome(_ banner: Banner) {
    beginEvent("welcome")
    member("server", "activityd")
    member("version", banner.version)
    member("protocol", 1)
    member("epoch", banner.epoch)
    member("seq", banner.seq)
    member("now", banner.now)
    member("role", banner.role?.rawValue ?? "none")
    member("line-bytes-max", banner.lineBytesMax)
    if banner.timeScale != 1 { member("time-scale", banner.timeScale) }
    endLine()
  }

  private mutating func beginEvent(_ name: String) {
    beginObject()
    member("event", name)
  }
}

/// What a new connection is told.
package struct Banner: Equatable, Sendable {
  /// Of the daemon.
  package var version: String
  /// Of the store.
  package var epoch: String
  package var seq: Seq
  package var now: Instant
  /// Nil until a token is shown.
  package var role: Role?
  package var lineBytesMax: Int
  /// How many times as fast as the machine's the activities' clock runs.
  package var timeScale: Int64

  package init(
    version: String, epoch: String, seq: Seq, now: Instant, role: Role?, lineBytesMax: Int,
    timeScale: Int64 = 1
  ) {
    self.version = version
    self.epoch = epoch
    self.seq = seq
    self.now = now
    self.role = role
    self.lineBytesMax = lineBytesMax
    self.timeScale = timeScale
  }
}
