import ActivityCore

extension ErrorCode {
  /// What the code means, and what to do: what `help` says about it.
  var text: String {
    switch self {
    case .badJSON: "The line is not one JSON value in UTF-8."
    case .notAnObject: "The line is JSON, but not an object with op."
    case .lineTooLong: "The line is longer than line-bytes-max and was skipped."
    case .tooDeep: "Arrays and objects are nested too deeply."
    case .unknownOp: "There is no such op; help lists them."
    case .unknownKey: "The op has no such key; help with the op as topic lists them."
    case .duplicateKey: "A key is there twice."
    case .missingKey: "A key that is required is absent."
    case .badValue: "A value has the wrong type, is out of range, or contradicts another key."
    case .dateInMilliseconds: "Dates are in seconds: divide by 1000."
    case .dateInPast: "The start-date has passed; start without it."
    case .timestampInFuture: "The timestamp is ahead of the daemon's clock; set the sender's."
    case .outOfOrder: "Something newer was accepted already; drop this."
    case .payloadTooLarge: "Send less: a name or a URL for what is big."
    case .unknownActivity: "There is no activity with this id, or none that this role may see."
    case .alreadyExists: "The id is taken by something else; update it, or use if-exists."
    case .ended: "The activity has ended and takes no more of this; start it anew."
    case .versionConflict: "The version isn't that of if-version; look again and decide anew."
    case .outranked: "A source of a higher source-priority holds it until its stale-date."
    case .idempotencyConflict: "The idempotency-key was used for another request."
    case .unauthorized: "The token isn't known, or no longer valid."
    case .forbidden: "This role, or this token, may not do that; the message says what may."
    case .limitReached: "Something that is counted is full; try later, or with less."
    case .storageUnavailable: "It couldn't be written; send it again with its idempotency-key."
    case .shuttingDown: "The daemon is stopping; connect again and repeat it."
    case .internal: "A fault of the daemon; its log says more."
    }
  }
}
