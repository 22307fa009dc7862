package import ActivityCore
package import EventLoop

/// What a connection may do before it has shown a token.
package struct AccessRules: Equatable, Sendable {
  /// The user that the daemon runs as.
  private let owner: UInt32
  private let loopbackRole: Role
  private let requiresToken: Bool
  private let publishers: Set<Account.Identity>
  private let admins: Set<Account.Identity>

  package init(_ configuration: Configuration, owner: UInt32) {
    self.owner = owner
    loopbackRole = configuration.loopbackRole
    requiresToken = configuration.requiresToken
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

  /// All who come to a listener over TCP are alike: on an address that other machines reach,
  /// everybody is a device at most.
  ///
  /// - Parameter isSecure: Whether TLS is spoken there.
  package func peer(on listener: ListenAddress, isSecure: Bool = false) -> Peer {
    Peer(
      role: listener.isLocal ? loopbackRole : .device,
      scope: isSecure ? listener.secureDescription : listener.description, description: nil,
      needsToken: requiresToken)
  }
}

extension Configuration {
  /// Why nobody should be listening on an address: a sentence that says what to set; nil if it is
  /// safe, or allowed all the same.
  ///
  /// Only this machine can connect to a loopback address or a socket file. Elsewhere both a token
  /// and TLS are needed: a token alone could be read on the way, TLS alone lets anybody in.
  package func danger(of address: ListenAddress, isSecure: Bool = false) -> String? {
    guard !address.isLocal, !allowsInsecure else { return nil }
    var missing: [String] = []
    if !isSecure { missing.append("make it a ListenTLS") }
    if !requiresToken { missing.append("set RequireToken=yes") }
    guard !missing.isEmpty else { return nil }
    let name = isSecure ? address.secureDescription : address.description
    return "other machines reach \(name): \(missing.joined(separator: " and ")) "
      + "(AllowInsecure=yes does without)"
  }
}
