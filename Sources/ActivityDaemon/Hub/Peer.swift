package import ActivityWire

/// Who is at the other end, as far as the socket tells.
package struct Peer: Sendable {
  package var role: Role
  /// Whose idempotency keys it uses, and who is noted as the author of its changes: a uid or a
  /// listener.
  package var scope: String
  /// For the log: an address, or the peer's process.
  package var description: String

  package init(role: Role, scope: String, description: String) {
    self.role = role
    self.scope = scope
    self.description = description
  }
}
