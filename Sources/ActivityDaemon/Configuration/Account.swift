internal import Glibc

/// A user or a group of this machine, as the configuration names it.
package struct Account: Hashable, Sendable {
  package enum Identity: Hashable, Sendable {
    case user(UInt32)
    case group(UInt32)
  }

  /// As it is written: `alice`, `@staff`, `1000` or `@50`.
  package let name: String
  package let identity: Identity

  package init(name: String, identity: Identity) {
    self.name = name
    self.identity = identity
  }

  /// Looks a name up among the users or, after `@`, the groups; nil if it isn't there. May ask a
  /// directory service, and waits for its answer.
  package init?(named name: String) {
    self.name = name
    if name.hasPrefix("@") {
      let group = String(name.dropFirst())
      guard let number = UInt32(group) ?? Self.group(group) else { return nil }
      identity = .group(number)
    } else {
      guard let number = UInt32(name) ?? Self.user(name) else { return nil }
      identity = .user(number)
    }
  }

  private static func user(_ name: String) -> UInt32? {
    unsafe withRoom { room, size in
      var entry = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      let status = unsafe getpwnam_r(name, &entry, room, size, &found)
      return unsafe (status, found.map { unsafe $0.pointee.pw_uid })
    }
  }

  private static func group(_ name: String) -> UInt32? {
    unsafe withRoom { room, size in
      var entry = unsafe Glibc.group()
      var found: UnsafeMutablePointer<Glibc.group>?
      let status = unsafe getgrnam_r(name, &entry, room, size, &found)
      return unsafe (status, found.map { unsafe $0.pointee.gr_gid })
    }
  }

  /// Looks something up with more and more room for what is known about it, a group's members for
  /// example.
  private static func withRoom(
    _ lookUp: (UnsafeMutablePointer<CChar>, Int) -> (status: CInt, number: UInt32?)
  ) -> UInt32? {
    var size = 1_024
    while size <= 16_777_216 {
      let result = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) {
        unsafe lookUp($0.baseAddress!, size)
      }
      guard result.status == ERANGE else { return result.number }
      size *= 4
    }
    return nil
  }
}
