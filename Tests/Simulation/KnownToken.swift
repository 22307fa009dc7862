import ActivityCore

/// A token as whoever asked for it knows it. What it reaches is worked out here once more.
struct KnownToken: Equatable {
  var name: String
  /// What is to be shown; empty until the daemon has told it.
  var text = ""
  var role: Role
  /// Names, or beginnings followed by `*`; nil: all.
  var channels: [String]?
  var types: [String]?
  var dismissesEverywhere = false
  var surface: Surface?
  var device: String?
  var expiresAt: Instant?

  /// Its public part.
  var key: String { String(text.prefix { $0 != "." }) }

  /// Whether whoever shows it may see an activity.
  func reads(_ activity: Activity) -> Bool {
    isOfItsTypes(activity) && (channels == nil || activity.channels.contains(where: isItsChannel))
  }

  /// Whether whoever shows it may change an activity.
  func publishes(_ activity: Activity) -> Bool {
    reads(activity) && (channels == nil || activity.channels.allSatisfy(isItsChannel))
  }

  private func isOfItsTypes(_ activity: Activity) -> Bool {
    types?.contains { Self.pattern($0, fits: activity.attributesType) } ?? true
  }

  private func isItsChannel(_ name: String) -> Bool {
    channels?.contains { Self.pattern($0, fits: name) } ?? true
  }

  private static func pattern(_ pattern: String, fits name: String) -> Bool {
    pattern.hasSuffix("*") ? name.hasPrefix(pattern.dropLast()) : name == pattern
  }
}

extension KnownToken {
  /// As members of the request that asks for it.
  var members: String {
    var text = #","name":"\#(name)","role":"\#(role.rawValue)""#
    for (key, patterns) in [("channels", channels), ("types", types)] {
      guard let patterns else { continue }
      let list = patterns.map { "\"\($0)\"" }.joined(separator: ",")
      text += #","\#(key)":[\#(list)]"#
    }
    if dismissesEverywhere { text += #","everywhere":true"# }
    if let surface { text += #","surface":"\#(surface.rawValue)""# }
    if let device { text += #","device":"\#(device)""# }
    if let expiresAt { text += #","expires-date":\#(expiresAt.microseconds / 1_000_000)"# }
    return text
  }
}

/// What a `hello` asks for.
struct Introduction {
  var token: KnownToken?
  /// It shows something that no token is.
  var isForged = false
  var surface: Surface?
  var enabled: Bool?

  /// As members of the request.
  var members: String {
    var text = ""
    if let token {
      text += #","token":"\#(token.text)\#(isForged ? "?" : "")""#
    }
    if let surface { text += #","surface":"\#(surface.rawValue)""# }
    if let enabled { text += #","activities-enabled":\#(enabled)"# }
    return text
  }
}

/// What a connection may see, and who looks on.
struct Rights: Equatable {
  private(set) var token: KnownToken?
  private(set) var surface = Surface.private

  init() {}

  /// A `hello` was obeyed.
  mutating func take(_ hello: Introduction) {
    if let token = hello.token { self.token = token }
    if let surface = hello.surface { self.surface = surface }
    if token?.surface == .public { surface = .public }
  }

  func reads(_ activity: Activity) -> Bool { token?.reads(activity) ?? true }
}
