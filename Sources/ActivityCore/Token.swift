/// What lets somebody do more, or less, than where the connection comes from: as it is stored.
///
/// The token itself is told once, to whoever asked for it, and kept nowhere.
package struct Token: Equatable, Sendable {
  /// Its public part, by which it is found.
  package var key: String
  /// SHA-256 of the whole token.
  package var hash: [UInt8]
  /// What people call it: unique among those in force.
  package var name: String
  package var role: Role
  package var reach: Reach
  /// Whether a device with it may dismiss for all.
  package var dismissesEverywhere = false
  /// Public, if its sessions are so whatever they say.
  package var surface: Surface?
  /// The only device that it is for.
  package var device: String?
  package var createdAt: Instant
  /// Nil: it holds until it is revoked.
  package var expiresAt: Instant?

  package init(
    key: String, hash: [UInt8], name: String, role: Role, reach: Reach = Reach(),
    createdAt: Instant
  ) {
    self.key = key
    self.hash = hash
    self.name = name
    self.role = role
    self.reach = reach
    self.createdAt = createdAt
  }
}
