package import ActivityCore

/// Answers: each request has one, in the order of the requests.
extension LineWriter {
  /// The outcome of a write, as it is on disk.
  ///
  /// - Parameters:
  ///   - op: of the request; a push isn't answered by what it stands for.
  ///   - devices: how many sessions are subscribed to the activity.
  package mutating func written(
    _ op: String, ref: JSONText?, _ told: Told, applied: Bool, devices: Int,
    ignored: [String] = [], replayed: Bool = false
  ) {
    beginAnswer(op, ref)
    member("id", told.id)
    member("generation", told.generation)
    member("version", told.version)
    member("seq", told.seq)
    member("state", told.state.rawValue)
    member("outcome", applied ? "applied" : "noop")
    member("devices", devices)
    dates(told)
    if !ignored.isEmpty { member("ignored", ignored) }
    if replayed { member("replayed", true) }
    endLine()
  }

  package mutating func refused(_ refusal: Refusal, op: String?, ref: JSONText?) {
    beginObject()
    member("error", refusal.code.rawValue)
    member("message", refusal.message)
    member("op", op)
    member("ref", ref)
    member("key", refusal.key)
    member("version", refusal.version)
    member("retryable", refusal.code.isRetryable)
    member("retry-after", refusal.retryAfter)
    endLine()
  }

  /// A line that could not be understood as a request.
  package mutating func refused(_ error: RequestError) {
    refused(error.refusal, op: error.op, ref: error.ref)
  }

  /// An answer without anything to tell: `subscribe`, `unsubscribe`, `quit`.
  package mutating func done(_ operation: Operation, ref: JSONText?) {
    beginAnswer(operation.rawValue, ref)
    endLine()
  }

  /// - Parameter token: the name of the token that it has shown.
  package mutating func greeted(
    device: String, role: Role, token: String? = nil, _ settings: Settings, ref: JSONText?
  ) {
    beginAnswer("hello", ref)
    member("device", device)
    member("role", role.rawValue)
    member("name", token)
    member("keepalive", settings.keepalive)
    member("interval", settings.interval)
    member("updates-per-hour", settings.updatesPerHour)
    member("activities-enabled", settings.activitiesEnabled)
    member("surface", settings.surface.rawValue)
    member("reply", settings.reply.rawValue)
    endLine()
  }

  /// A device's own dismissal.
  package mutating func dismissed(
    id: String, generation: Generation, applied: Bool, replayed: Bool = false, ref: JSONText?
  ) {
    beginAnswer("dismiss", ref)
    member("id", id)
    member("generation", generation)
    member("outcome", applied ? "applied" : "noop")
    if replayed { member("replayed", true) }
    endLine()
  }

  /// - Parameter publishers: how many got it.
  package mutating func acted(_ action: Action, publishers: Int, ref: JSONText?) {
    beginAnswer("action", ref)
    member("id", action.id)
    member("action-id", action.actionID)
    member("publishers", publishers)
    endLine()
  }

  package mutating func pinged(now: Instant, seq: Seq, cursor: Cursor?, ref: JSONText?) {
    beginAnswer("ping", ref)
    member("now", now)
    member("seq", seq)
    member("cursor", cursor?.text)
    endLine()
  }

  // MARK: Reading

  /// How far an activity has got to its devices.
  package struct Delivery: Equatable, Sendable {
    package var subscribed: Int
    package var current: Int
    package var behind: Int

    package init(subscribed: Int, current: Int, behind: Int) {
      self.subscribed = subscribed
      self.current = current
      self.behind = behind
    }
  }

  /// - Parameter tellsWriter: whether the reader may know who made the last change.
  package mutating func got(
    _ activity: Activity, tellsWriter: Bool, delivery: Delivery?, ref: JSONText?
  ) {
    beginAnswer("get", ref)
    key("activity")
    item(activity, tellsWriter: tellsWriter)
    if let delivery {
      key("delivery")
      beginObject()
      member("subscribed", delivery.subscribed)
      member("current", delivery.current)
      member("behind", delivery.behind)
      endObject()
    }
    endLine()
  }

  /// One line of a list.
  package mutating func listed(_ activity: Activity, tellsWriter: Bool, ref: JSONText?) {
    beginObject()
    key("activity")
    item(activity, tellsWriter: tellsWriter)
    member("ref", ref)
    endLine()
  }

  /// The end of a list.
  ///
  /// - Parameter after: the last id, if the list was cut short there.
  package mutating func listed(count: Int, after: String?, ref: JSONText?) {
    beginAnswer("list", ref)
    member("count", count)
    member("after", after)
    if after != nil { member("more", true) }
    endLine()
  }

  /// An activity, whole; of a tombstone what is left.
  private mutating func item(_ activity: Activity, tellsWriter: Bool) {
    beginObject()
    identity(activity)
    member("relevance-score", activity.relevanceScore)
    member("attributes-type", activity.attributesType)
    if !activity.channels.isEmpty { member("channels", activity.channels) }
    if activity.state != .dismissed {
      member("attributes", activity.attributes)
      content(activity)
      member("source", activity.source?.name)
      member("source-priority", activity.source?.priority)
    }
    member("start-date", activity.startDate)
    dates(Told(activity), withStart: false)
    member("dismissed-at", activity.dismissedAt)
    member("at", activity.dueAt)
    member("reason", activity.reason?.rawValue)
    if tellsWriter, !activity.sensitive.isEmpty {
      member("sensitive", activity.sensitive.map(\.text))
    }
    if tellsWriter { member("by", activity.changedBy) }
    endObject()
  }

  /// How often each quota was reached.
  package mutating func member(_ name: StaticString, _ reached: [Quota: Int]) {
    key(name)
    beginObject()
    for quota in Quota.allCases {
      separate()
      string(quota.rawValue)
      append(":")
      integer(Int64(reached[quota] ?? 0))
    }
    endObject()
  }

  // MARK: Parts

  package mutating func beginAnswer(_ op: String, _ ref: JSONText?) {
    beginObject()
    member("ok", op)
    member("ref", ref)
  }

  mutating func identity(_ activity: Activity) {
    member("id", activity.id)
    member("generation", activity.generation)
    member("version", activity.version)
    member("seq", activity.seq)
    member("state", activity.state.rawValue)
    member("timestamp", activity.watermark)
  }

  mutating func content(_ activity: Activity) {
    member("content-state", activity.contentState)
    member("url", activity.url)
    member("links", activity.links)
  }

  /// The dates that are still ahead.
  mutating func dates(_ told: Told, withStart: Bool = true) {
    if withStart { member("start-date", told.startDate) }
    member("stale-date", told.staleDate)
    member("end-date", told.endDate)
    member("dismissal-date", told.dismissalDate)
  }
}
