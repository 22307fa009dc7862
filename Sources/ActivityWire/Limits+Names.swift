package import ActivityCore

/// The limits' names in the configuration and in `help`, in the order of the protocol's table.
extension Limits {
  /// A place in the limits, by the kind of its value.
  package enum Place {
    case count(WritableKeyPath<Limits, Int>)
    /// A length of time.
    case span(WritableKeyPath<Limits, TimeSpan>)
    /// A length of time that may be missing.
    case optionalSpan(WritableKeyPath<Limits, TimeSpan?>)
    case flag(WritableKeyPath<Limits, Bool>)
  }

  package static var places: [(name: StaticString, place: Place)] {
    [
      ("MaxLineBytes", .count(\.lineBytesMax)),
      ("MaxLineBytesBeforeHello", .count(\.lineBytesMaxBeforeHello)),
      ("MaxPayloadBytes", .count(\.payloadBytesMax)),
      ("MaxNameBytes", .count(\.nameBytesMax)),
      ("MaxURLBytes", .count(\.urlBytesMax)),
      ("MaxLinksBytes", .count(\.linksBytesMax)),
      ("MaxAlertBytes", .count(\.alertBytesMax)),
      ("MaxActionPayloadBytes", .count(\.actionPayloadBytesMax)),
      ("MaxDepth", .count(\.depthMax)),
      ("MaxChannelsPerActivity", .count(\.channelsPerActivityMax)),
      ("MaxLinks", .count(\.linksMax)),
      ("MaxKeysPerSubscription", .count(\.keysPerSubscriptionMax)),
      ("MaxActivities", .count(\.activitiesMax)),
      ("MaxOutcomes", .count(\.outcomesMax)),
      ("MaxUnansweredRequests", .count(\.unansweredRequestsMax)),
      ("MaxAnswerBytes", .count(\.answerBytesMax)),
      ("MaxStartAhead", .span(\.startAheadMax)),
      ("MaxStartPast", .span(\.startPastMax)),
      ("MaxTimestampAhead", .span(\.timestampAheadMax)),
      ("DefaultLifetime", .span(\.lifetimeDefault)),
      ("MaxLifetime", .span(\.lifetimeMax)),
      ("MaxDismissal", .span(\.dismissalMax)),
      ("KeepTombstones", .span(\.tombstoneKept)),
      ("KeepOutcomes", .span(\.outcomeKept)),
      ("MaxAlertAge", .span(\.alertAgeMax)),
      ("DefaultStaleAfter", .optionalSpan(\.staleAfterDefault)),
      ("RequireStaleDate", .flag(\.requiresStaleDate)),
      ("LowPriorityWindow", .span(\.lowPriorityWindow)),
      ("MaxNotReading", .span(\.notReadingMax)),
      ("HelloWithin", .span(\.helloWithin)),
    ]
  }
}
