package import ActivityWire

/// Who is at the other end, as far as the socket tells. Connections that are alike share one.
package final class Peer: Sendable {
  package let role: Role
  /// Whose idempotency keys it uses, and who is noted as the author of its changes: a uid or a
  /// listener.
  package let scope: String
  /// For people; nil where the address says it.
  package let description: String?
  /// The user of this machine, over a Unix socket.
  package let user: UInt32?

  package init(role: Role, scope: String, description: String?, user: UInt32? = nil) {
    self.role = role
    self.scope = scope
    self.description = description
    self.user = user
  }
}
