/// What a publisher may ask of one activity. Every command names the `id` it concerns.
///
/// Indirect: it passes through many hands, and a reference is counted once instead of a dozen times.
package indirect enum Command: Equatable, Sendable {
  case start(Start)
  case update(Update)
  case end(End)
  case cancel(Cancel)
}

/// How urgently a change is delivered.
package enum Priority: Int64, Sendable {
  /// May wait a little to travel with others.
  case low = 5
  /// Goes now.
  case high = 10
}

/// What a `start` does if the id is pending or live already.
package enum IfExists: String, Sendable {
  case error, update, replace
}

/// What makes or remakes an activity.
package struct Start: Equatable, Sendable {
  package var attributesType: String
  package var attributes: JSONText = .emptyObject
  package var contentState: JSONText
  package var channels: [String] = []
  package var relevanceScore: Double?
  package var priority: Priority = .high
  package var stale: Moment?
  package var start: Moment?
  package var lifetime: TimeSpan?
  package var alert: JSONText?
  package var url: JSONText?
  package var links: JSONText?
  package var timestamp: Timestamp?
  package var ifExists: IfExists = .error
  package var source: Source?
  package var sensitive: [SensitivePath]?

  package init(attributesType: String, contentState: JSONText) {
    self.attributesType = attributesType
    self.contentState = contentState
  }
}

/// A key that may be left alone, removed (`null`) or set.
package enum Edit: Equatable, Sendable {
  case keep
  case remove
  case set(JSONText)
}

/// What changes an activity. The content-state is replaced whole; absent, it is kept.
package struct Update: Equatable, Sendable {
  package var contentState: JSONText?
  package var relevanceScore: Double?
  package var priority: Priority = .high
  package var stale: Moment?
  /// Only while it is pending.
  package var start: Moment?
  package var alert: JSONText?
  package var url: Edit = .keep
  package var links: Edit = .keep
  package var timestamp: Timestamp?
  package var ifVersion: Version?
  package var source: Source?
  /// Nil: as before; empty: nothing any more.
  package var sensitive: [SensitivePath]?

  package init() {}
}

/// How long an ended activity is still shown.
package enum Dismissal: Equatable, Sendable {
  /// As long as is allowed.
  case byDefault
  case immediate
  case when(Moment)
}

package struct End: Equatable, Sendable {
  package var contentState: JSONText?
  package var dismissal: Dismissal?
  package var alert: JSONText?
  package var timestamp: Timestamp?
  package var ifVersion: Version?

  package init() {}
}

/// Takes an activity away at once.
package struct Cancel: Equatable, Sendable {
  package var timestamp: Timestamp?
  package var ifVersion: Version?
  /// `.cancelled`, or `.device` for a device's dismissal everywhere.
  package var reason: Reason = .cancelled

  package init() {}
}
