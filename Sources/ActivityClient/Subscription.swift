/// What to see. An activity is in view if any of the names holds it.
public struct Subscription: Hashable, Sendable {
  /// Everything that is published on one of these.
  public var channels: [String] = []
  /// These activities; they need not exist yet.
  public var ids: [String] = []
  /// Everything of one of these `attributes-type`s.
  public var types: [String] = []
  /// Everything.
  public var all = false
  /// For publishers: also every action, and what devices dismiss.
  public var feedback = false

  /// Nothing yet.
  public init() {}

  /// Everything that the client may see.
  public static var everything: Subscription {
    var everything = Subscription()
    everything.all = true
    return everything
  }

  /// The keys of the request.
  func keys(since cursor: String?) -> JSONObject {
    var keys = JSONObject()
    if !channels.isEmpty { keys["channels"] = JSONValue(channels) }
    if !ids.isEmpty { keys["ids"] = JSONValue(ids) }
    if !types.isEmpty { keys["types"] = JSONValue(types) }
    if all { keys["all"] = true }
    if feedback { keys["feedback"] = true }
    keys["since"] = cursor.map(JSONValue.string)
    return keys
  }
}
