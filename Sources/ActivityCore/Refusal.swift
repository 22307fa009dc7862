/// The stable codes of refused requests. Never renamed; PROTOCOL.md explains each.
package enum ErrorCode: String, Sendable, CaseIterable {
  case badJSON = "bad-json"
  case notAnObject = "not-an-object"
  case lineTooLong = "line-too-long"
  case tooDeep = "too-deep"
  case unknownOp = "unknown-op"
  case unknownKey = "unknown-key"
  case duplicateKey = "duplicate-key"
  case missingKey = "missing-key"
  case badValue = "bad-value"
  case dateInMilliseconds = "date-in-milliseconds"
  case dateInPast = "date-in-past"
  case timestampInFuture = "timestamp-in-future"
  case outOfOrder = "out-of-order"
  case payloadTooLarge = "payload-too-large"
  case unknownActivity = "unknown-activity"
  case alreadyExists = "already-exists"
  case ended
  case versionConflict = "version-conflict"
  case outranked
  case idempotencyConflict = "idempotency-conflict"
  case unauthorized
  case forbidden
  case limitReached = "limit-reached"
  case storageUnavailable = "storage-unavailable"
  case shuttingDown = "shutting-down"
  case `internal`

  /// The same request may succeed later, unchanged.
  package var isRetryable: Bool {
    switch self {
    case .storageUnavailable, .shuttingDown, .limitReached: true
    default: false
    }
  }
}

/// A request that was not carried out, and why. A refusal changes nothing.
package struct Refusal: Error, Equatable, Sendable {
  package var code: ErrorCode
  /// One sentence for a person: the key, the limit and the value it met.
  package var message: String
  /// The key of the request it concerns.
  package var key: String?
  /// The activity's present version, where the sender needs it to go on.
  package var version: Version?
  /// What is full, of a `limit-reached`.
  package var quota: Quota?
  /// When the same request may succeed, where that can be told.
  package var retryAfter: TimeSpan?

  package init(
    _ code: ErrorCode, _ message: String, key: String? = nil, version: Version? = nil
  ) {
    self.code = code
    self.message = message
    self.key = key
    self.version = version
  }
}
