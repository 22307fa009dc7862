package import ActivityCore

/// Who is at the other end, as far as the socket tells. Connections that are alike share one.
package final class Peer: Sendable {
  /// What it may do, unless it shows a token that says otherwise.
  package let role: Role
  /// Whether it may do nothing until it shows one.
  package let needsToken: Bool
  /// Whose idempotency keys it uses, and who is noted as the author of its changes: a uid or a
  /// listener.
  package let scope: String
  /// For people; nil where the address says it.
  package let description: String?

  package init(role: Role, scope: String, description: String?, needsToken: Bool = false) {
    self.role = role
    self.needsToken = needsToken
    self.scope = scope
    self.description = description
  }
}
