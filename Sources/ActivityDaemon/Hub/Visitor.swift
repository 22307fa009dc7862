package import EventLoop

/// Who is at the other end of a connection, where connections are counted.
package enum Visitor: Hashable, Sendable {
  /// A user of this machine.
  case user(UInt32)
  case host(PeerHost)
}

extension Visitor: CustomStringConvertible {
  package var description: String {
    switch self {
    case .user(let number): "uid:\(number)"
    case .host(let host): host.description
    }
  }
}

/// How many connections each visitor has.
struct Visitors {
  private var counts: [Visitor: Int] = [:]

  func count(of visitor: Visitor) -> Int { counts[visitor] ?? 0 }

  mutating func enter(_ visitor: Visitor?) {
    if let visitor { counts[visitor, default: 0] += 1 }
  }

  mutating func leave(_ visitor: Visitor?) {
    guard let visitor, let count = counts[visitor] else { return }
    counts[visitor] = count > 1 ? count - 1 : nil
  }
}
