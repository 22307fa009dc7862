package import ActivityCore

/// What can be asked of the daemon: the `op` of a request.
package enum Operation: String, CaseIterable, Sendable {
  case hello, start, update, end, cancel, push, get, list, subscribe, unsubscribe, dismiss, action
  case ping, help, quit
  case stats, clients, monitor, backup
  case tokenAdd = "token-add"
  case tokenList = "token-list"
  case tokenRevoke = "token-revoke"

  /// The role it needs. (`dismiss` with `everywhere` needs more.)
  package var role: Role {
    switch self {
    case .start, .update, .end, .cancel, .push: .publisher
    case .hello, .get, .list, .subscribe, .unsubscribe, .dismiss, .action: .device
    case .ping, .help, .quit: .device
    case .stats, .clients, .monitor, .backup, .tokenAdd, .tokenList, .tokenRevoke: .admin
    }
  }

  /// Whether it can change an activity on disk, and so may carry an idempotency key.
  package var writes: Bool {
    switch self {
    case .start, .update, .end, .cancel, .push, .dismiss: true
    case .hello, .get, .list, .subscribe, .unsubscribe, .action, .ping, .help, .quit, .stats,
      .clients, .monitor, .backup, .tokenAdd, .tokenList, .tokenRevoke:
      false
    }
  }

  /// The keys that it takes; beside them only those of every request are allowed.
  ///
  /// This is the one table of them: requests are checked against it, and `help` tells it.
  package var keys: [Key] {
    switch self {
    case .hello:
      [.device, .token, .keepalive, .updatesPerHour, .interval, .activitiesEnabled, .surface]
    case .start:
      [
        .id, .attributesType, .attributes, .contentState, .channels, .relevanceScore, .priority,
        .staleDate, .staleAfter, .startDate, .startAfter, .lifetime, .alert, .url, .links,
        .timestamp, .ifExists, .source, .sourcePriority, .sensitive,
      ]
    case .update:
      [
        .id, .contentState, .relevanceScore, .priority, .staleDate, .staleAfter, .startDate,
        .startAfter, .alert, .url, .links, .timestamp, .ifVersion, .source, .sourcePriority,
        .sensitive,
      ]
    case .end:
      [
        .id, .contentState, .dismissal, .dismissalDate, .dismissalAfter, .timestamp, .ifVersion,
        .alert,
      ]
    case .cancel: [.id, .timestamp, .ifVersion]
    case .push:
      [
        .id, .aps, .channels, .timestamp, .source, .sourcePriority, .priority, .ifVersion,
        .ifExists, .lifetime, .startDate, .startAfter, .sensitive,
      ]
    case .get: [.id, .delivery]
    case .list: [.channels, .types, .states, .limit, .after]
    case .subscribe: [.channels, .ids, .types, .all, .since, .feedback, .follow]
    case .unsubscribe: [.channels, .ids, .types, .all, .feedback]
    case .dismiss: [.id, .everywhere]
    case .action: [.id, .actionId, .name, .payload, .ifVersion]
    case .help: [.topic]
    case .monitor: [.ids, .errors, .off]
    case .backup: [.path]
    case .tokenAdd:
      [
        .name, .role, .channels, .types, .everywhere, .surface, .device, .expiresDate,
        .expiresAfter,
      ]
    case .tokenRevoke: [.name]
    case .ping, .quit, .stats, .clients, .tokenList: []
    }
  }

  /// The keys that a request of this kind may have, those of every request first.
  package var allKeys: [Key] { allowed.keys }

  var allowed: KeySet { Self.table.first { $0.operation == self }?.allowed ?? KeySet() }

  /// The same, for those who only ask whether a key is among them.
  var allowedBits: KeyBits { Self.bits.first { $0.operation == self }?.bits ?? KeyBits() }

  /// The operation that is spelt so, if there is one.
  init?(_ spelling: RawSpan) {
    guard let name = PackedName(spelling),
      let known = Self.names.first(where: { $0.name == name })
    else { return nil }
    self = known.operation
  }

  private static let names = allCases.map { (name: PackedName($0.rawValue), operation: $0) }

  /// They are few, and searched faster than hashed.
  private static let table = allCases.map { operation in
    let common: [Key] = [.op, .ref, .reply] + (operation.writes ? [.idempotencyKey] : [])
    return (operation: operation, allowed: KeySet(common + operation.keys))
  }

  private static let bits = table.map { (operation: $0.operation, bits: KeyBits($0.allowed.keys)) }
}

extension KeyBits {
  /// What an update has that only replaces the content.
  static let plain = KeyBits(
    [.op, .ref, .reply, .idempotencyKey, .id, .contentState, .timestamp, .aps, .event])
}

/// The keys of the objects inside of requests.
extension KeySet {
  /// What an alert may hold: ActivityKit's keys, and those of any other notification.
  static let alert = KeySet([
    .title, .subtitle, .body, .sound, .locKey, .locArgs, .titleLocKey, .titleLocArgs,
    .subtitleLocKey, .subtitleLocArgs, .launchImage, .actionLocKey,
  ])

  static let link = KeySet([.name, .title, .url])

  /// What has a meaning in the `aps` of a push.
  static let aps = KeySet([
    .event, .timestamp, .contentState, .attributesType, .attributes, .alert, .staleDate,
    .dismissalDate, .relevanceScore,
  ])

  /// And what APNs knows besides, without a meaning here.
  static let apsWithIgnored = KeySet(
    aps.keys + [
      .inputPushToken, .inputPushChannel, .sound, .badge, .category, .threadId, .mutableContent,
      .contentAvailable, .interruptionLevel, .targetContentId, .filterCriteria, .urlArgs,
    ])

  /// What looks right beside `aps`, though some of it belongs inside.
  static let besideAps = KeySet(Operation.push.allKeys + aps.keys)
}
