/// Something that is limited in number or in rate, under the name of its setting. What goes beyond
/// one is `limit-reached`, and counted.
package enum Quota: String, Sendable, CaseIterable {
  case connections = "MaxConnections"
  case connectionsPerAddress = "MaxConnectionsPerAddress"
  case connectionsPerUser = "MaxConnectionsPerUser"
  /// Nobody is refused for this one, only kept waiting.
  case newConnections = "MaxNewConnectionsPerSecond"
  case activities = "MaxActivities"
  case activitiesPerPublisher = "MaxActivitiesPerPublisher"
  case outcomes = "MaxOutcomes"
  case tokens = "MaxTokens"
  case unauthenticated = "MaxUnauthenticated"
  case dismissals = "MaxDismissals"
  case dismissalsPerDevice = "MaxDismissalsPerDevice"
  case keysPerSubscription = "MaxKeysPerSubscription"
  case requests = "MaxRequestsPerSecond"
  case publisherRequests = "MaxPublisherRequestsPerSecond"
  case actions = "MaxActionsPerSecond"
}

extension Refusal {
  /// - Parameters:
  ///   - message: what is full, and how full that is.
  ///   - retryAfter: when the same may succeed, if that can be told.
  package static func limitReached(
    _ quota: Quota, _ message: String, key: String? = nil, retryAfter: TimeSpan? = nil
  ) -> Refusal {
    var refusal = Refusal(.limitReached, "\(message) (\(quota.rawValue))", key: key)
    refusal.quota = quota
    refusal.retryAfter = retryAfter
    return refusal
  }
}
