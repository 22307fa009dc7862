import ActivityCore
import ActivityStore
import TestSupport

/// A store that must conform, and how to open what it holds again.
final class StoreUnderTest {
  enum Kind: CaseIterable { case sqlite, memory }

  private(set) var store: any Store
  private let folder: TemporaryDirectory

  init(_ kind: Kind) throws {
    folder = try TemporaryDirectory()
    store =
      switch kind {
      case .sqlite: try SQLiteStore(path: folder.file("store.db"))
      case .memory: MemoryStore()
      }
  }

  func reopen() throws {
    if let memory = store as? MemoryStore {
      store = memory.reopened()
    } else {
      store = try SQLiteStore(path: folder.file("store.db"))
    }
  }

  @discardableResult
  func commit(_ mutations: Mutation...) throws -> Committed { try store.commit(mutations) }

  func items() throws -> [StoredItem] { try ActivityStoreTests.items(of: store) }

  func changes(after seq: Seq) throws -> [StoredItem] {
    var items: [StoredItem] = []
    try store.changes(after: seq) { items.append($0) }
    return items
  }

  func activities() throws -> [Activity] {
    try items().compactMap { if case .activity(let activity) = $0 { activity } else { nil } }
  }

  func outcomes() throws -> [KeptOutcome] {
    try items().compactMap { if case .outcome(let outcome) = $0 { outcome } else { nil } }
  }

  func tokens() throws -> [Token] {
    try items().compactMap { if case .token(let token) = $0 { token } else { nil } }
  }
}

func items(of store: any Store) throws -> [StoredItem] {
  var items: [StoredItem] = []
  try store.load { items.append($0) }
  return items
}

// Activities and what changes them.

func sample(_ id: String = "ride", version: Version = 1) -> Activity {
  var activity = Activity(
    id: id, attributesType: "Ride", contentState: JSONText(#"{"eta":5}"#),
    watermark: Instant(seconds: 1_800_000_000), startDate: Instant(seconds: 1_800_000_000),
    lifetime: .hours(8))
  activity.version = version
  return activity
}

/// One with a value in every field, and each value awkward.
func fullSample(_ id: String = "full \"id\" \\ 👨‍🍳") -> Activity {
  var activity = sample(id, version: 9_007_199_254_740_991)
  activity.attributesType = "Тип"
  activity.attributes = JSONText(#"{"nul":"a\u0000b","line":"\u2028","quote":"'\""}"#)
  activity.contentState = JSONText(#"{"👨‍🍳":[1.0,1e-7,-0.0,9007199254740993],"n":null}"#)
  activity.channels = ["a", "b \"c\" \\", "é", "[],"]
  activity.relevanceScore = -0.1
  activity.url = JSONText(#""https:\/\/example.org\/?a=ü""#)
  activity.links = JSONText(#"[{"name":"a","title":"b","url":"c"}]"#)
  activity.alert = Alert(
    content: JSONText(#"{"title":"t"}"#), version: activity.version, seq: 0,
    at: Instant(microseconds: 1_800_000_000_000_001))
  activity.startDigest = Digest(value: .max - 5)
  activity.watermark = Instant(microseconds: 1 << 62)
  activity.startTimestamp = Instant(microseconds: -1 << 62)
  activity.source = Source(name: "quelle", priority: 1_000_000)
  activity.changedBy = "uid:1000"
  activity.startDate = Instant(microseconds: 1)
  activity.lifetime = TimeSpan(microseconds: 1)
  activity.staleDate = Instant(microseconds: 2)
  activity.endedAt = Instant(microseconds: 3)
  activity.dismissalDate = Instant(microseconds: 4)
  activity.dismissedAt = Instant(microseconds: 5)
  activity.dueAt = Instant(microseconds: 0)
  activity.reason = .device
  activity.sensitive = ["attributes", "content-state/👨‍🍳/0", "content-state/a~1b~0\"\\"]
    .compactMap(SensitivePath.init)
  activity.state = .dismissed
  return activity
}

extension Activity {
  /// Gives it the instants of its state, if a test left them out.
  fileprivate mutating func completeInstants() {
    if state == .ended {
      endedAt = endedAt ?? watermark
      dismissalDate = dismissalDate ?? watermark
    }
    if state == .dismissed { dismissedAt = dismissedAt ?? watermark }
  }
}

func start(_ activity: Activity) -> Mutation {
  var transition = Transition(activity: activity, basis: activity.version - 1)
  transition.activity.completeInstants()
  transition.opensGeneration = true
  transition.entersView = activity.state != .pending
  return .transition(transition)
}

/// The next version of an activity, and the mutation that makes it.
func change(
  _ activity: inout Activity, entersView: Bool = false, _ edit: (inout Activity) -> Void = { _ in }
) -> Mutation {
  var transition = Transition(activity: activity, basis: activity.version)
  transition.activity.version += 1
  transition.entersView = entersView
  edit(&transition.activity)
  transition.activity.completeInstants()
  activity = transition.activity
  return .transition(transition)
}

func alert(_ text: StaticString, version: Version) -> Alert {
  Alert(content: JSONText(text), version: version, seq: 0, at: Instant(seconds: 1_800_000_000))
}

func token(_ key: String, name: String) -> Token {
  Token(
    key: key, hash: [UInt8](0..<32), name: name, role: .device,
    createdAt: Instant(seconds: 1_800_000_000))
}

/// One with a value in every field.
func fullToken(_ key: String = "key", name: String = "Anas \"phone\" 👨‍🍳") -> Token {
  var token = token(key, name: name)
  token.role = .publisher
  token.reach = Reach(
    channels: [NamePattern("home:*"), NamePattern("a \"b\" \\")], types: [NamePattern("*")])
  token.dismissesEverywhere = true
  token.surface = .public
  token.device = "phone"
  token.expiresAt = Instant(microseconds: 1_900_000_000_000_001)
  return token
}

func outcome(_ key: String, of id: String, expiresAt: Int64 = 1_800_000_600) -> KeptOutcome {
  KeptOutcome(
    key: OutcomeKey(scope: "uid:1000", key: key), request: Digest(value: 7),
    expiresAt: Instant(seconds: expiresAt), op: "start", applied: true,
    ignored: ["lifetime", "a\"b"], told: Told(id: id))
}
