/// How a client introduces itself, and how it wants to be served: the keys of `hello`.
public struct Identity: Hashable, Sendable {
  /// The name under which dismissals are remembered and actions are sent.
  public var device: String?
  /// Grants a role.
  public var token: String?
  /// At least this long between two updates of one activity.
  public var interval: Duration?
  /// A budget of updates.
  public var updatesPerHour: Int?
  /// Whether everybody can see the device: then it isn't sent what is sensitive.
  public var isPublic = false
  /// With what TLS is spoken, where the address says so.
  public var tls = TLSFiles()

  /// Nobody in particular.
  public init(device: String? = nil, token: String? = nil) {
    self.device = device
    self.token = token
  }

  /// The keys of the request; nil if there is nothing to say.
  func hello(keepalive: Int? = nil) -> JSONObject? {
    var keys = JSONObject()
    keys["device"] = device.map(JSONValue.string)
    keys["token"] = token.map(JSONValue.string)
    keys["keepalive"] = keepalive.map { JSONValue($0) }
    keys["interval"] = interval.map { JSONValue($0 / .seconds(1)) }
    keys["updates-per-hour"] = updatesPerHour.map { JSONValue($0) }
    if isPublic { keys["surface"] = "public" }
    return keys.members.isEmpty ? nil : keys
  }
}
