import ActivityCore
import TestSupport

extension Simulation {
  /// The name of a device that nobody is without a token of its own.
  static let boundName = "dora"

  /// An admin makes a token, looks at them, or ends one.
  func manageTokens() throws {
    if publishers[0].client == nil { try connect(publishers[0]) }
    let admin = publishers[0].client
    switch random.below(6) {
    case 0: try ask(admin, "token-list", "")
    case 1, 2:
      let name = random.pick(model.tokens.suffix(6).map(\.name) + ["nobody's"])
      try ask(
        admin, "token-revoke", #","name":"\#(name)""#, effect: .revokeToken(named: name))
    default:
      let token = token()
      try ask(admin, "token-add", token.members, effect: .addToken(token))
    }
  }

  private func token() -> KnownToken {
    var token = KnownToken(
      name: "n\(random.below(8))", role: random.pick([.device, .device, .publisher]))
    token.channels = random.pick([nil, nil, ["x"], ["y", "none"], ["x*"], ["*"]])
    token.types = random.pick([nil, nil, ["T"], ["none", "U*"], ["T*"]])
    if token.role == .device {
      token.dismissesEverywhere = random.chance(oneIn: 3)
      token.surface = random.pick([nil, nil, .public, .private])
      token.device = random.pick([nil, nil, Self.boundName])
    }
    if let seconds = random.pick([nil, nil, 3, 60, 3_600]) as Int64? {
      token.expiresAt = Instant(seconds: clock.now().microseconds / 1_000_000 + seconds)
    }
    return token
  }

  /// A token that somebody has been given, of late; perhaps it holds no longer.
  func pickToken(_ isWanted: (KnownToken) -> Bool) -> KnownToken? {
    let known = model.tokens.filter(isWanted).suffix(4)
    let held = known.filter { model.end(of: $0) == nil }
    let tokens = !isAtRest && random.chance(oneIn: 8) ? Array(known) : Array(held)
    return tokens.isEmpty ? nil : random.pick(tokens)
  }

  /// What a device says of itself when it comes, perhaps what it said before; nil if it can't come
  /// by its name.
  func introduction(of device: Int, as before: Rights?) -> Introduction? {
    let name = deviceNames[device]
    let isBound = name == Self.boundName
    var hello = Introduction()
    if isBound || random.chance(oneIn: 2) {
      hello.token = pickToken { $0.role == .device && $0.device == (isBound ? name : nil) }
    }
    hello.surface = random.pick([nil, nil, .public, .private])
    if let before, !random.chance(oneIn: 6) {
      let holds = before.token.map { model.end(of: $0) == nil } ?? !isBound
      if holds || !isAtRest && before.token != nil { hello.token = before.token }
      hello.surface = before.surface
    }
    hello.isForged = hello.token != nil && !isAtRest && random.chance(oneIn: 30)
    return isBound && hello.token == nil ? nil : hello
  }
}
