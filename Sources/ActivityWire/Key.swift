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
  case sensitive
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
  // Of operators.
  case errors, off, path
  // Of tokens.
  case role, expiresDate, expiresAfter

  private static let names = allCases.map { hyphenated("\($0)") }
  private static let packed = allCases.map { (name: PackedName($0.name), key: $0) }
  /// The keys of each length.
  private static let byLength = (0...PackedName.bytesMax).map { length in
    packed.filter { $0.key.name.utf8.count == length }
  }

  /// The key on the wire.
  package var name: String { Self.names[Int(rawValue)] }

  /// The key that is spelt so, if there is one.
  init?(_ spelling: RawSpan) {
    guard let name = PackedName(spelling) else { return nil }
    for known in Self.byLength[spelling.byteCount] where known.name == name {
      self = known.key
      return
    }
    return nil
  }

  private static func hyphenated(_ name: String) -> String {
    name.reduce(into: "") { result, letter in
      result += letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
    }
  }
}

/// A set of keys.
struct KeyBits: Sendable {
  private var bits: UInt128 = 0

  init(_ keys: [Key] = []) {
    for key in keys { insert(key) }
  }

  func contains(_ key: Key) -> Bool { bits & Self.bit(key) != 0 }

  func isSubset(of other: KeyBits) -> Bool { bits & ~other.bits == 0 }

  /// There are fewer than 128 keys.
  private static func bit(_ key: Key) -> UInt128 { 1 &<< UInt128(key.rawValue) }

  /// Whether it wasn't there yet.
  @discardableResult
  mutating func insert(_ key: Key) -> Bool {
    let isNew = !contains(key)
    bits |= Self.bit(key)
    return isNew
  }
}

/// A set of keys that knows their order.
struct KeySet: Sendable {
  private(set) var keys: [Key] = []
  private var bits = KeyBits()

  init(_ keys: [Key] = []) {
    for key in keys where bits.insert(key) { self.keys.append(key) }
  }

  func contains(_ key: Key) -> Bool { bits.contains(key) }
}
