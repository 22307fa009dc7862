/// A key that means something in a request: in the request itself, in `aps`, in an alert or in a
/// link.
///
/// On the wire it is spelt like its case, in lower case and with hyphens: `staleDate` is
/// `stale-date`.
package enum Key: UInt8, CaseIterable, Sendable {
  // Of every request.
  case op, ref, reply, idempotencyKey
  // Of an activity.
  case id, attributesType, attributes, contentState, channels, relevanceScore, priority
  case staleDate, staleAfter, startDate, startAfter, lifetime, alert, url, links, timestamp
  case ifExists, ifVersion, source, sourcePriority, dismissal, dismissalDate, dismissalAfter
  // Of a payload of APNs.
  case aps, event, sound, badge, category, threadId, mutableContent, contentAvailable
  case interruptionLevel, targetContentId, filterCriteria, urlArgs, inputPushToken
  case inputPushChannel
  // Of an alert, or of a link.
  case title, subtitle, body, name, locKey, locArgs, titleLocKey, titleLocArgs, subtitleLocKey
  case subtitleLocArgs, launchImage, actionLocKey
  // Of devices and subscriptions.
  case device, token, keepalive, updatesPerHour, interval, activitiesEnabled, surface
  case delivery, types, states, limit, after, ids, all, since, feedback, follow
  case everywhere, actionId, payload, topic

  private static let names = allCases.map { hyphenated("\($0)") }
  private static let byLength = Dictionary(grouping: allCases) { $0.name.utf8.count }

  /// The key on the wire.
  package var name: String { Self.names[Int(rawValue)] }

  /// The key that is spelt so, if there is one.
  init?(_ spelling: RawSpan) {
    let candidates = Self.byLength[spelling.byteCount] ?? []
    guard let key = candidates.first(where: { spelling.isEqual(to: $0.name) }) else { return nil }
    self = key
  }

  private static func hyphenated(_ name: String) -> String {
    name.reduce(into: "") { result, letter in
      result += letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
    }
  }
}

/// A set of keys.
struct KeySet {
  private var bits: UInt128 = 0

  init(_ keys: [Key]) {
    for key in keys { bits |= 1 << UInt128(key.rawValue) }
  }

  func contains(_ key: Key) -> Bool { bits & (1 << UInt128(key.rawValue)) != 0 }
}
