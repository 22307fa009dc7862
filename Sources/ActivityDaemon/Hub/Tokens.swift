internal import ActivityCore
internal import Cryptography

/// A token in force, with what its sessions need of it time and again. They share one.
final class Grant {
  let token: Token
  /// Who is noted as the author of changes.
  let actor: String
  /// Whose idempotency keys are used. Not the name: another token may have that later.
  let outcomeScope: String
  /// Nil: everything.
  let reach: Reach?

  init(_ token: Token) {
    self.token = token
    actor = "token:\(token.name)"
    outcomeScope = "token:\(token.key)"
    reach = token.reach.isUnlimited ? nil : token.reach
  }
}

/// The tokens in force.
struct Tokens {
  private var byKey: [String: Grant] = [:]
  private var byName: [Name: Grant] = [:]
  /// How many tokens there are for each device that a token is bound to.
  private var boundDevices: [Name: Int] = [:]
  /// Names on their way to the store, and keys on their way out of it; with who asked for that.
  private var staged: [Name: String] = [:]
  private var leaving: [String: String] = [:]
  /// When the first of them expires.
  private(set) var nextExpiry: Instant?

  var count: Int { byKey.count + staged.count }

  /// In the order of their names.
  var all: [Token] { byName.sorted { $0.key < $1.key }.map(\.value.token) }

  func grant(named name: String) -> Grant? { byName[Name(name)] }

  func isTaken(_ name: String) -> Bool {
    byName[Name(name)] != nil || staged[Name(name)] != nil
  }

  func isBound(_ device: String) -> Bool { boundDevices[Name(device)] != nil }

  // MARK: Checking

  enum Verdict {
    case valid(Grant)
    /// Nobody has it, or only its public part is right.
    case unknown
    case expired(Grant)
  }

  /// What `text` gives a right to. However wrong it is, this takes the same time.
  func check(_ text: String, at now: Instant) -> Verdict {
    let hash = sha256(Array(text.utf8))
    let grant = byKey[Self.key(of: text)]
    let isRight = equalInConstantTime(hash, grant?.token.hash ?? Self.nobodysHash)
    guard let grant, isRight else { return .unknown }
    if let expiry = grant.token.expiresAt, expiry <= now { return .expired(grant) }
    return .valid(grant)
  }

  /// The public part, by which a token is found; it ends at the first dot.
  static func key(of text: String) -> String { String(text.prefix { $0 != "." }) }

  private static let nobodysHash = [UInt8](repeating: 0, count: 32)

  // MARK: Changing

  mutating func stage(_ name: String, by actor: String) { staged[Name(name)] = actor }

  mutating func stageEnd(of key: String, by actor: String) { leaving[key] = actor }

  mutating func dropStaged() {
    staged = [:]
    leaving = [:]
  }

  /// It is durable; answers who asked for it, if that is known.
  @discardableResult
  mutating func land(_ token: Token) -> String? {
    if let older = byName[Name(token.name)] { remove(older.token.key) }
    let grant = Grant(token)
    byKey[token.key] = grant
    byName[Name(token.name)] = grant
    if let device = token.device { boundDevices[Name(device), default: 0] += 1 }
    if let expiry = token.expiresAt { nextExpiry = min(expiry, nextExpiry ?? expiry) }
    return staged.removeValue(forKey: Name(token.name))
  }

  /// Its end is durable; answers what it was, if it still was, and who asked for that.
  mutating func landEnd(of key: String) -> (grant: Grant, by: String?)? {
    let actor = leaving.removeValue(forKey: key)
    return remove(key).map { ($0, actor) }
  }

  @discardableResult
  private mutating func remove(_ key: String) -> Grant? {
    guard let grant = byKey.removeValue(forKey: key) else { return nil }
    byName[Name(grant.token.name)] = nil
    if let device = grant.token.device.map({ Name($0) }), let count = boundDevices[device] {
      boundDevices[device] = count > 1 ? count - 1 : nil
    }
    return grant
  }

  /// Takes those out that have expired; answers them in the order of their names.
  mutating func expire(at now: Instant) -> [Grant] {
    guard let first = nextExpiry, first <= now else { return [] }
    let expired = byKey.values.filter { $0.token.expiresAt.map { $0 <= now } ?? false }
    for grant in expired { remove(grant.token.key) }
    nextExpiry = byKey.values.compactMap(\.token.expiresAt).min()
    return expired.sorted { Name($0.token.name) < Name($1.token.name) }
  }

  /// Takes what the store holds in the place of all; answers those that are gone.
  mutating func replace(with tokens: [Token]) -> [Grant] {
    let present = Set(tokens.map(\.key))
    let gone = byKey.values.filter { !present.contains($0.token.key) }
    for grant in gone { remove(grant.token.key) }
    for token in tokens where byKey[token.key] == nil { land(token) }
    return gone
  }
}
