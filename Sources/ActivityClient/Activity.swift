/// An activity as a device shows it or `list` tells it.
public struct Activity: Hashable, Sendable, Identifiable {
  /// What becomes of an activity.
  public enum State: String, Hashable, Sendable, CaseIterable {
    case pending, active, stale, ended, dismissed
  }

  /// Names it.
  public let id: String
  /// Which life of the id.
  public let generation: Int
  /// Which change of the id.
  public private(set) var version: Int
  /// Where in its life it is.
  public internal(set) var state: State
  /// The higher, the sooner it is shown.
  public private(set) var relevanceScore: Double
  /// Which kind of activity it is.
  public let attributesType: String
  /// What it is published on.
  public let channels: [String]
  /// What never changes.
  public let attributes: JSONObject
  /// What each update replaces.
  public private(set) var contentState: JSONValue
  /// Where a tap leads.
  public private(set) var url: String?
  /// Dates are in seconds since 1970, by the daemon's clock.
  public let startDate: Double?
  /// When it is out of date; nil if that isn't ahead.
  public internal(set) var staleDate: Double?
  /// When it ends at the latest; nil if it has.
  public internal(set) var endDate: Double?
  /// When it is to be removed; nil unless it has ended.
  public internal(set) var dismissalDate: Double?
  /// Why it is no longer live, where that needs saying.
  public internal(set) var reason: String?

  /// - Parameter object: an item of `list` or `get`, or a `start` event. Nil for anything else.
  public init?(_ object: JSONObject) {
    guard let id = object.string("id"), let type = object.string("attributes-type"),
      let state = object.string("state").flatMap(State.init(rawValue:))
    else { return nil }
    self.id = id
    self.state = state
    attributesType = type
    generation = object.integer("generation") ?? 0
    version = 0
    relevanceScore = 0
    channels = object.array("channels")?.compactMap(\.stringValue) ?? []
    attributes = object.object("attributes") ?? [:]
    contentState = .null
    startDate = object.number("start-date")
    update(object)
  }

  /// Takes over everything that can change from a later event about the same generation.
  mutating func update(_ object: JSONObject) {
    version = object.integer("version") ?? version
    state = object.string("state").flatMap(State.init(rawValue:)) ?? state
    relevanceScore = object.number("relevance-score") ?? relevanceScore
    contentState = object["content-state"] ?? contentState
    url = object.string("url")
    staleDate = object.number("stale-date")
    endDate = object.number("end-date")
    dismissalDate = object.number("dismissal-date")
    reason = object.string("reason")
  }
}

extension Activity {
  /// The order in which devices show activities: the higher relevance first, then the earlier
  /// start, then the lesser id.
  public static func isShownBefore(_ left: Activity, _ right: Activity) -> Bool {
    if left.relevanceScore != right.relevanceScore {
      return left.relevanceScore > right.relevanceScore
    }
    let starts = (left.startDate ?? 0, right.startDate ?? 0)
    if starts.0 != starts.1 { return starts.0 < starts.1 }
    return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
  }
}
