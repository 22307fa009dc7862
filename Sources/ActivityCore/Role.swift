/// What a connection may do. Each role includes those before it.
package enum Role: String, Comparable, CaseIterable, Sendable {
  case device, publisher, admin

  package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .device: 0
    case .publisher: 1
    case .admin: 2
    }
  }
}

/// Who can see a device.
package enum Surface: String, CaseIterable, Sendable {
  /// Anybody who passes by: a lock screen, a hall display.
  case `public`
  case `private`
}
