/// Counters since the start.
package struct Statistics: Sendable {
  package var requests = 0
  package var refused = 0
  package var commits = 0
  package var failedCommits = 0
  /// Events sent, each counted once for each session.
  package var deliveries = 0
  /// Changes that a session was never sent by themselves, since a newer one took their place.
  package var conflated = 0
  /// Subscriptions that went on from a cursor, and those that couldn't.
  package var resumed = 0
  package var reset = 0

  package init() {}
}
