/// A number that the store gives to each durable change, rising by one; 0 means "not given yet".
package typealias Seq = Int64
/// The seq of the `start` that made a generation; 0 while that start isn't durable yet.
package typealias Generation = Int64
/// Counts the changes of one id, over its generations too; the first is 1.
package typealias Version = Int64

/// The five states of an activity; ActivityKit's own (`ActivityState`).
package enum State: String, Sendable, CaseIterable {
  /// Scheduled: in nobody's view until its start-date.
  case pending
  case active
  /// Late: its stale-date has passed. Still live and updatable.
  case stale
  /// Final, still shown until its dismissal-date.
  case ended
  /// Gone. A tombstone remains for a while.
  case dismissed

  /// It takes updates.
  package var isLive: Bool { self == .active || self == .stale }
  /// Devices show it.
  package var isShown: Bool { self == .active || self == .stale || self == .ended }
}

/// Why an activity ended or was dismissed, where that needs saying.
package enum Reason: String, Sendable, CaseIterable {
  /// It ended because its lifetime was over.
  case lifetime
  /// It was dismissed because its time to be shown after the end was over.
  case ended
  /// A publisher cancelled it.
  case cancelled
  /// A new generation took its place.
  case replaced
  /// A device dismissed it everywhere.
  case device
}

/// A one-time attention getter. It belongs to the version that brought it.
package struct Alert: Equatable, Sendable {
  package var content: JSONText
  /// The version that brought it; 0 while it waits for a pending activity's start.
  package var version: Version
  /// The seq of that version's change; 0 until it is durable.
  package var seq: Seq
  /// When that change was made.
  package var at: Instant

  package init(content: JSONText, version: Version, seq: Seq, at: Instant) {
    self.content = content
    self.version = version
    self.seq = seq
    self.at = at
  }
}

/// Who writes an activity, where several do.
package struct Source: Equatable, Sendable {
  package var name: String
  /// Above 0 it is a lease: until the stale-date, lower ones are outranked.
  package var priority: Int64

  package init(name: String, priority: Int64) {
    self.name = name
    self.priority = priority
  }
}

/// One generation of an activity, whole: exactly what a row of the store holds.
///
/// A dismissed one is a tombstone: its contents are empty, everything else stays.
///
/// It is copied at each step of a change, so what most changes leave alone is kept in two boxes
/// that copies share, instead of a dozen references to be counted each time.
package struct Activity: Equatable, Sendable {
  /// What hardly any change touches.
  private var lasting: Box<Lasting>
  /// What most activities don't have.
  private var rare: Box<Rare>?

  package var generation: Generation = 0
  package var version: Version = 0
  /// The seq of the latest change.
  package var seq: Seq = 0
  /// The seq at which it left `pending`; 0 if it hasn't, or never did.
  package var shownSeq: Seq = 0
  package var state: State = .active
  package var relevanceScore: Double = 0
  package var contentState: JSONText

  // Who writes it, and in what order.
  /// The newest timestamp accepted.
  package var watermark: Instant
  /// The timestamp of this generation's start; an end older than that is out of order.
  package var startTimestamp: Instant

  // Its instants.
  /// When it starts (pending) or started.
  package var startDate: Instant
  /// How long it may live, counted from `startDate`.
  package var lifetime: TimeSpan
  package var staleDate: Instant?
  package var endedAt: Instant?
  package var dismissalDate: Instant?
  package var dismissedAt: Instant?
  /// The due time of the latest change, if a deadline made it.
  package var dueAt: Instant?
  package var reason: Reason?

  package init(
    id: String, attributesType: String, attributes: JSONText = .emptyObject,
    channels: [String] = [], contentState: JSONText, watermark: Instant, startDate: Instant,
    lifetime: TimeSpan, startDigest: Digest = Digest(), startedBy: String? = nil,
    changedBy: String? = nil
  ) {
    lasting = Box(
      Lasting(
        id: id, attributesType: attributesType, attributes: attributes, channels: channels,
        startDigest: startDigest, startedBy: startedBy, changedBy: changedBy))
    self.contentState = contentState
    self.watermark = watermark
    self.startTimestamp = watermark
    self.startDate = startDate
    self.lifetime = lifetime
  }

  /// When its lifetime is over.
  package var endDate: Instant { startDate + lifetime }
}

// MARK: - What is kept in boxes

extension Activity {
  fileprivate struct Lasting: Equatable, Sendable {
    var id: String
    var attributesType: String
    var attributes: JSONText
    var channels: [String]
    var startDigest: Digest
    var startedBy: String?
    var changedBy: String?
  }

  fileprivate struct Rare: Equatable, Sendable {
    var url: JSONText?
    var links: JSONText?
    var alert: Alert?
    var source: Source?
    var sensitive: [SensitivePath] = []
  }

  package var id: String {
    get { lasting.value.id }
    set { lasting.value.id = newValue }
  }

  package var attributesType: String {
    get { lasting.value.attributesType }
    set { lasting.value.attributesType = newValue }
  }

  package var attributes: JSONText {
    get { lasting.value.attributes }
    set { lasting.value.attributes = newValue }
  }

  package var channels: [String] {
    get { lasting.value.channels }
    set { lasting.value.channels = newValue }
  }

  /// What this generation was started with, so that 'the same again' is recognised.
  package var startDigest: Digest {
    get { lasting.value.startDigest }
    set { lasting.value.startDigest = newValue }
  }

  /// Who made this generation, as `changedBy` tells it; nil if that isn't known.
  package var startedBy: String? { lasting.value.startedBy }

  /// Who made the latest change: a token's name, a uid or a listener; nil for the passing of time.
  package var changedBy: String? {
    get { lasting.value.changedBy }
    set { if newValue != lasting.value.changedBy { lasting.value.changedBy = newValue } }
  }

  /// A JSON string.
  package var url: JSONText? {
    get { rare?.value.url }
    set { changeRare(newValue != nil) { $0.url = newValue } }
  }

  /// A JSON array.
  package var links: JSONText? {
    get { rare?.value.links }
    set { changeRare(newValue != nil) { $0.links = newValue } }
  }

  package var alert: Alert? {
    get { rare?.value.alert }
    set { changeRare(newValue != nil) { $0.alert = newValue } }
  }

  package var source: Source? {
    get { rare?.value.source }
    set { changeRare(newValue != nil) { $0.source = newValue } }
  }

  /// What of its contents is shown as `null` where others look on.
  package var sensitive: [SensitivePath] {
    get { rare?.value.sensitive ?? [] }
    set { changeRare(!newValue.isEmpty) { $0.sensitive = newValue } }
  }

  private mutating func changeRare(_ isPresent: Bool, _ change: (inout Rare) -> Void) {
    guard rare != nil || isPresent else { return }
    var box = rare ?? Box(Rare())
    change(&box.value)
    rare = box.value == Rare() ? nil : box
  }
}

extension Activity {
  /// Whether devices show this one before `other`: by relevance, then earlier start, then id.
  package func precedes(_ other: Activity) -> Bool {
    if relevanceScore != other.relevanceScore { return relevanceScore > other.relevanceScore }
    if startDate != other.startDate { return startDate < other.startDate }
    let (name, otherName) = (Name(id), Name(other.id))
    return name == otherName ? generation < other.generation : name < otherName
  }
}
