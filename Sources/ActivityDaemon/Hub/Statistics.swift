package import ActivityCore

/// Figures since the start, as `stats` tells them.
package struct Statistics: Sendable {
  package var requests = 0
  package private(set) var refused = 0
  /// How often each quota was reached.
  private(set) var reached: [Quota: Int] = [:]
  /// Events sent, each counted once for each session.
  package var deliveries = 0
  /// Changes that a session was never sent by themselves, since a newer one took their place.
  package var conflated = 0
  /// Subscriptions that went on from a cursor, and those that couldn't.
  package var resumed = 0
  package var reset = 0

  /// Tokens shown that weren't right; connections that had to show one and didn't in time.
  package var unauthorized = 0
  package var unauthenticatedTimeouts = 0

  package private(set) var commits = 0
  package var failedCommits = 0
  /// Mutations in all commits, and in the largest.
  package private(set) var changes = 0
  package private(set) var changesMax = 0
  /// From handing a batch over until its end is known, in microseconds.
  package private(set) var commitMicroseconds: Int64 = 0
  package private(set) var commitMicrosecondsMax: Int64 = 0

  package init() {}

  mutating func refused(_ refusal: Refusal) {
    refused += 1
    if let quota = refusal.quota { reached(quota) }
  }

  package mutating func reached(_ quota: Quota) { reached[quota, default: 0] += 1 }

  mutating func committed(changes count: Int, microseconds: Int64) {
    commits += 1
    changes += count
    changesMax = max(changesMax, count)
    commitMicroseconds += microseconds
    commitMicrosecondsMax = max(commitMicrosecondsMax, microseconds)
  }
}

/// TLS handshakes since the start.
package struct HandshakeStatistics: Equatable, Sendable {
  /// Not yet over.
  package var underWay = 0
  package var completed = 0
  /// Connections that began with something else.
  package var plain = 0
  package var timedOut = 0
  /// Refused by either side, or broken off.
  package var failed = 0

  package init() {}
}
