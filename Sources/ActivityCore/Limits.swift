/// Every bound of the daemon, with its default. All are in the configuration.
package struct Limits: Equatable, Sendable {
  // Lines and values, in UTF-8 bytes.
  /// A longer request line is refused and skipped.
  package var lineBytesMax = 65_536
  /// The same before `hello`, where one is needed.
  package var lineBytesMaxBeforeHello = 4_096
  /// attributes and content-state together, compact.
  package var payloadBytesMax = 4_096
  /// id, channel, type, source, device, name, key, ref; each.
  package var nameBytesMax = 128
  package var urlBytesMax = 1_024
  package var linksBytesMax = 2_048
  package var alertBytesMax = 1_024
  package var actionPayloadBytesMax = 4_096
  /// No event is longer while the payload limit isn't raised above its default.
  package var eventBytesMax: Int { 8_192 + max(0, payloadBytesMax - 4_096) }
  /// Nesting of a request; the request object itself is 1.
  package var depthMax = 64

  // Connections.
  package var connectionsMax = 50_000
  /// From one IPv4 address, or from one IPv6 network of 64 bits.
  package var connectionsPerAddressMax = 20_000
  /// Of one user of this machine, over Unix sockets.
  package var connectionsPerUserMax = 20_000
  package var newConnectionsPerSecondMax = 2_000

  // Counts.
  package var channelsPerActivityMax = 16
  package var linksMax = 8
  package var sensitivePathsMax = 32
  package var keysPerSubscriptionMax = 1_024
  package var activitiesMax = 1_000_000
  /// Started by one token or user or over one listener; nil for as many as there may be.
  package var activitiesPerPublisherMax: Int64?
  package var outcomesMax = 1_000_000
  /// What named devices dismissed for themselves, all of them together.
  package var dismissalsMax = 1_000_000
  package var dismissalsPerDeviceMax = 4_096
  package var tokensMax = 10_000
  /// Connections that have still to show a token, where one is needed.
  package var unauthenticatedMax = 1_000
  /// Requests of one session that wait for their answers; more aren't read.
  package var unansweredRequestsMax = 1_024
  /// Answers of one session that wait to be written; above that no more requests are read.
  package var answerBytesMax = 65_536

  // Of one session, a second; as many may come at once.
  package var requestsPerSecondMax = 1_000
  /// The same for a session that may publish; nil for any number.
  package var publisherRequestsPerSecondMax: Int64?
  package var actionsPerSecondMax = 50

  // Times on the activities' clock.
  package var startAheadMax = TimeSpan.hours(30 * 24)
  /// A start-date up to this long ago starts now; an older one is `date-in-past`.
  package var startPastMax = TimeSpan.seconds(60)
  /// A timestamp further ahead of now is refused, a stored one forgotten.
  package var timestampAheadMax = TimeSpan.seconds(60)
  package var lifetimeDefault = TimeSpan.hours(8)
  package var lifetimeMax = TimeSpan.hours(12)
  /// How long an ended activity may be shown.
  package var dismissalMax = TimeSpan.hours(4)
  package var tombstoneKept = TimeSpan.hours(24)
  package var outcomeKept = TimeSpan.minutes(10)
  /// A resuming device is sent an alert this old at most.
  package var alertAgeMax = TimeSpan.seconds(60)
  /// The stale-date of a start or update that names none; nil for none.
  package var staleAfterDefault: TimeSpan?
  package var requiresStaleDate = false

  /// Updates an hour that a device is sent if its `hello` names no number; nil for all.
  package var updatesPerHourDefault: Int64?

  // Times on the machine's clock.
  package var lowPriorityWindow = TimeSpan.seconds(1)
  package var notReadingMax = TimeSpan.seconds(60)
  package var helloWithin = TimeSpan.seconds(5)
  package var handshakeWithin = TimeSpan.seconds(5)
  /// TLS handshakes under way at once; more connections wait in the kernel.
  package var handshakesMax = 256

  package init() {}
}
