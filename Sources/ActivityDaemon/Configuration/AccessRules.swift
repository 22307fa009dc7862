package import ActivityWire
package import EventLoop

/// What a connection may do before it has shown a token.
package struct AccessRules: Equatable, Sendable {
  /// The user that the daemon runs as.
  private let owner: UInt32
  private let loopbackRole: Role
  private let publishers: Set<Account.Identity>
  private let admins: Set<Account.Identity>

  package init(_ configuration: Configuration, owner: UInt32) {
    self.owner = owner
    loopbackRole = configuration.loopbackRole
    publishers = Set(configuration.publishers.map(\.identity))
    admins = Set(configuration.admins.map(\.identity))
  }

  /// The role of a process that connected over the Unix socket: root and the daemon's own user are
  /// admins, others what the configuration makes their user or one of their groups, at best.
  ///
  /// - Parameter groups: the supplementary ones.
  package func role(of peer: PeerCredentials, groups: [UInt32]) -> Role {
    if peer.user == 0 || peer.user == owner { return .admin }
    let identities = [.user(peer.user), .group(peer.group)] + groups.map(Account.Identity.group)
    if !admins.isDisjoint(with: identities) { return .admin }
    return publishers.isDisjoint(with: identities) ? .device : .publisher
  }

  /// The role of a connection over TCP: on an address that other machines reach, everybody is a
  /// device.
  package func role(onLoopback isLoopback: Bool) -> Role { isLoopback ? loopbackRole : .device }
}
