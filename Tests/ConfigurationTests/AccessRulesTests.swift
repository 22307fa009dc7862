import ActivityDaemon
import ActivityCore
import ActivityWire
import EventLoop
import Testing

@Suite("Access") struct AccessRulesTests {
  private static let owner: UInt32 = 990

  /// Users 1 and 2 and group 10 are publishers, user 2, user 3 and group 20 are admins.
  private var rules: AccessRules {
    var configuration = Configuration()
    configuration.publishers = [.user(1), .user(2), .group(10)]
    configuration.admins = [.user(2), .user(3), .group(20)]
    configuration.loopbackRole = .publisher
    return AccessRules(configuration, owner: Self.owner)
  }

  @Test(
    "the role over the Unix socket is the best of the user's and its groups'",
    arguments: [
      (user: 1, group: 100, groups: [], role: Role.publisher),
      (user: 2, group: 100, groups: [], role: .admin),
      (user: 3, group: 100, groups: [], role: .admin),
      (user: 4, group: 100, groups: [], role: .device),
      (user: 4, group: 10, groups: [], role: .publisher),
      (user: 4, group: 20, groups: [], role: .admin),
      (user: 4, group: 100, groups: [7, 10], role: .publisher),
      (user: 4, group: 100, groups: [10, 20], role: .admin),
      (user: 1, group: 20, groups: [], role: .admin),
      // A user isn't the group of the same number.
      (user: 10, group: 1, groups: [1, 2, 3], role: .device),
      (user: 20, group: 3, groups: [], role: .device),
    ] as [(user: UInt32, group: UInt32, groups: [UInt32], role: Role)])
  func unixSocket(user: UInt32, group: UInt32, groups: [UInt32], role: Role) {
    let peer = PeerCredentials(process: 1, user: user, group: group)
    #expect(rules.role(of: peer, groups: groups) == role)
  }

  @Test("root and the daemon's own user are admins, whatever is configured", arguments: [0, owner])
  func owners(user: UInt32) {
    let peer = PeerCredentials(process: 1, user: user, group: 100)
    #expect(AccessRules(Configuration(), owner: Self.owner).role(of: peer, groups: []) == .admin)
  }

  @Test("root's group and the daemon's are nothing special", arguments: [0, owner])
  func ownersGroups(group: UInt32) {
    let peer = PeerCredentials(process: 1, user: 5, group: group)
    let rules = AccessRules(Configuration(), owner: Self.owner)
    #expect(rules.role(of: peer, groups: [group]) == .device)
  }

  @Test("the loopback role is for loopback; other machines are devices")
  func tcp() {
    let here = rules.peer(on: .tcp(host: "127.0.0.1", port: 1))
    #expect(here.role == .publisher)
    #expect(!here.needsToken)
    #expect(rules.peer(on: .tcp(host: "192.0.2.1", port: 1)).role == .device)
  }

  @Test("names are looked up, and may be numbers")
  func names() {
    #expect(Account(named: "root")?.identity == .user(0))
    #expect(Account(named: "@root")?.identity == .group(0))
    #expect(Account(named: "1234")?.identity == .user(1_234))
    #expect(Account(named: "@1234")?.identity == .group(1_234))
    #expect(Account(named: "no-such-user") == nil)
    #expect(Account(named: "@") == nil)
  }
}

extension Account {
  fileprivate static func user(_ number: UInt32) -> Account {
    Account(name: "\(number)", identity: .user(number))
  }
  fileprivate static func group(_ number: UInt32) -> Account {
    Account(name: "@\(number)", identity: .group(number))
  }
}
