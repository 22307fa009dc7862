package import ActivityCore

/// The limits as the configuration and `help` know them, in the order of the protocol's table: the
/// one place where their names, ranges and meanings are kept. Defaults are those of `Limits()`.
extension Limits {
  /// A place in the limits, by the kind of its value, with what the configuration may put there.
  package enum Place {
    /// A size in bytes.
    case bytes(WritableKeyPath<Limits, Int>, ClosedRange<Int>)
    case count(WritableKeyPath<Limits, Int>, ClosedRange<Int>)
    /// A number that may be missing.
    case optionalCount(WritableKeyPath<Limits, Int64?>, ClosedRange<Int64>)
    /// A length of time.
    case span(WritableKeyPath<Limits, TimeSpan>, ClosedRange<TimeSpan>)
    /// A length of time that may be missing.
    case optionalSpan(WritableKeyPath<Limits, TimeSpan?>, ClosedRange<TimeSpan>)
    case flag(WritableKeyPath<Limits, Bool>)
  }

  package struct NamedPlace {
    package let name: StaticString
    package let place: Place
    /// What it bounds, for the operator.
    package let text: String

    fileprivate init(_ name: StaticString, _ place: Place, _ text: String) {
      self.name = name
      self.place = place
      self.text = text
    }
  }

  package static var places: [NamedPlace] { sizes + connections + counts + rates + times + paces }

  private static var sizes: [NamedPlace] {
    [
      NamedPlace(
        "MaxLineBytes", .bytes(\.lineBytesMax, 1_024...16_777_216),
        "The longest request line. Holds for connections made afterwards."),
      NamedPlace(
        "MaxLineBytesBeforeHello", .bytes(\.lineBytesMaxBeforeHello, 512...16_777_216),
        "The same before a hello, where one is needed; no more than MaxLineBytes."),
      NamedPlace(
        "MaxPayloadBytes", .bytes(\.payloadBytesMax, 64...16_777_216),
        "Attributes and content-state together, compact. Above 4K, events become longer than 8K."),
      NamedPlace(
        "MaxNameBytes", .bytes(\.nameBytesMax, 32...1_024),
        "Each name (id, channel, type, source, device, key), and a ref."),
      NamedPlace(
        "MaxURLBytes", .bytes(\.urlBytesMax, 64...65_536), "The url of an activity."),
      NamedPlace(
        "MaxLinksBytes", .bytes(\.linksBytesMax, 64...65_536),
        "The links of an activity together, compact."),
      NamedPlace("MaxAlertBytes", .bytes(\.alertBytesMax, 64...65_536), "An alert, compact."),
      NamedPlace(
        "MaxActionPayloadBytes", .bytes(\.actionPayloadBytesMax, 64...16_777_216),
        "The payload of an action, compact."),
    ]
  }

  private static var connections: [NamedPlace] {
    [
      NamedPlace(
        "MaxConnections", .count(\.connectionsMax, 1...1_000_000),
        "Connections in all; for admins over a Unix socket there are a few more."),
      NamedPlace(
        "MaxConnectionsPerAddress", .count(\.connectionsPerAddressMax, 1...1_000_000),
        "Connections from one IPv4 address, or from one IPv6 network of 64 bits."),
      NamedPlace(
        "MaxConnectionsPerUser", .count(\.connectionsPerUserMax, 1...1_000_000),
        "Connections of one user of this machine, over Unix sockets."),
      NamedPlace(
        "MaxNewConnectionsPerSecond", .count(\.newConnectionsPerSecondMax, 1...1_000_000),
        "New connections a second. More wait, unrefused, until it is their turn."),
    ]
  }

  private static var counts: [NamedPlace] {
    [
      NamedPlace(
        "MaxDepth", .count(\.depthMax, 4...1_024),
        "How deep a request may be nested; the request itself is 1."),
      NamedPlace(
        "MaxChannelsPerActivity", .count(\.channelsPerActivityMax, 1...64),
        "The channels of an activity."),
      NamedPlace("MaxLinks", .count(\.linksMax, 1...64), "The links of an activity."),
      NamedPlace(
        "MaxSensitivePaths", .count(\.sensitivePathsMax, 0...256),
        "The sensitive paths of an activity."),
      NamedPlace(
        "MaxKeysPerSubscription", .count(\.keysPerSubscriptionMax, 1...65_536),
        "The channels, ids and types of a subscription together."),
      NamedPlace(
        "MaxActivities", .count(\.activitiesMax, 1...10_000_000),
        "Activities that aren't dismissed, pending ones too."),
      NamedPlace(
        "MaxActivitiesPerPublisher",
        .optionalCount(\.activitiesPerPublisherMax, 1...10_000_000),
        "The same of one publisher: what one token, one user, or one listener started."),
      NamedPlace(
        "MaxOutcomes", .count(\.outcomesMax, 1...10_000_000), "Idempotency keys in use."),
      NamedPlace("MaxTokens", .count(\.tokensMax, 1...100_000), "Tokens in force."),
      NamedPlace(
        "MaxUnauthenticated", .count(\.unauthenticatedMax, 1...1_000_000),
        "Connections that have still to show a token, where one is needed."),
      NamedPlace(
        "MaxDismissals", .count(\.dismissalsMax, 1...10_000_000),
        "What named devices have dismissed for themselves, all of them together."),
      NamedPlace(
        "MaxDismissalsPerDevice", .count(\.dismissalsPerDeviceMax, 1...1_000_000),
        "What one device has dismissed for itself."),
      NamedPlace(
        "MaxUnansweredRequests", .count(\.unansweredRequestsMax, 1...65_536),
        "Requests of a session without an answer yet; no more are read until some have one."),
      NamedPlace(
        "MaxAnswerBytes", .bytes(\.answerBytesMax, 4_096...16_777_216),
        "Answers of a session that wait to be read; no more requests are read above that."),
    ]
  }

  private static var rates: [NamedPlace] {
    [
      NamedPlace(
        "MaxRequestsPerSecond", .count(\.requestsPerSecondMax, 1...1_000_000),
        "Requests a second of a session that may not publish; as many may come at once."),
      NamedPlace(
        "MaxPublisherRequestsPerSecond",
        .optionalCount(\.publisherRequestsPerSecondMax, 1...1_000_000),
        "The same for one that may publish."),
      NamedPlace(
        "MaxActionsPerSecond", .count(\.actionsPerSecondMax, 1...1_000_000),
        "Actions a second of any session; as many may come at once."),
    ]
  }

  private static var times: [NamedPlace] {
    [
      NamedPlace(
        "MaxStartAhead", .span(\.startAheadMax, .seconds(0)...(.hours(3_650 * 24))),
        "How far ahead a start-date may lie."),
      NamedPlace(
        "MaxStartPast", .span(\.startPastMax, .seconds(0)...(.hours(24))),
        "How long ago a start-date may lie; what it names starts at once."),
      NamedPlace(
        "MaxTimestampAhead", .span(\.timestampAheadMax, .seconds(0)...(.hours(24))),
        "How far ahead a timestamp may lie."),
      NamedPlace(
        "DefaultLifetime", .span(\.lifetimeDefault, .seconds(1)...(.hours(365 * 24))),
        "How long an activity lives whose start doesn't say; no more than MaxLifetime."),
      NamedPlace(
        "MaxLifetime", .span(\.lifetimeMax, .seconds(1)...(.hours(365 * 24))),
        "The longest lifetime that a start may ask for."),
      NamedPlace(
        "MaxDismissal", .span(\.dismissalMax, .seconds(0)...(.hours(30 * 24))),
        "How long an ended activity may be shown, and is if the end doesn't say."),
      NamedPlace(
        "KeepTombstones", .span(\.tombstoneKept, .seconds(1)...(.hours(365 * 24))),
        "How long a dismissed activity is remembered, so that what is late is known to be late."),
      NamedPlace(
        "KeepOutcomes", .span(\.outcomeKept, .seconds(1)...(.hours(30 * 24))),
        "How long an idempotency key is kept."),
      NamedPlace(
        "MaxAlertAge", .span(\.alertAgeMax, .seconds(0)...(.hours(24))),
        "How old an alert a resuming device is sent."),
      NamedPlace(
        "DefaultStaleAfter",
        .optionalSpan(\.staleAfterDefault, .seconds(1)...(.hours(365 * 24))),
        "When a start or update that names no stale-date makes its activity stale."),
      NamedPlace(
        "RequireStaleDate", .flag(\.requiresStaleDate),
        "Whether a start or update must name a stale-date."),
    ]
  }

  private static var paces: [NamedPlace] {
    [
      NamedPlace(
        "DefaultUpdatesPerHour", .optionalCount(\.updatesPerHourDefault, 1...1_000_000),
        "Updates an hour that a device is sent whose hello names no number."),
      NamedPlace(
        "LowPriorityWindow", .span(\.lowPriorityWindow, .seconds(0)...(.minutes(1))),
        "How long a change of priority 5 waits for more to go with it."),
      NamedPlace(
        "MaxNotReading", .span(\.notReadingMax, .seconds(1)...(.hours(24))),
        "How long a session may read nothing while something waits for it."),
      NamedPlace(
        "HelloWithin", .span(\.helloWithin, .seconds(1)...(.minutes(10))),
        "How long a connection may take to its hello, where one is needed."),
      NamedPlace(
        "HandshakeWithin", .span(\.handshakeWithin, .seconds(1)...(.minutes(10))),
        "How long a TLS handshake may take."),
      NamedPlace(
        "MaxHandshakes", .count(\.handshakesMax, 1...65_536),
        "TLS handshakes under way at once; further connections wait until one is over."),
    ]
  }
}
