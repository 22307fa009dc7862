/// Which activities a token lets somebody read and publish, by channel and by type.
package struct Reach: Hashable, Sendable {
  /// Nil: on any channel, or on none.
  package var channels: [NamePattern]?
  /// Nil: of any type.
  package var types: [NamePattern]?

  package init(channels: [NamePattern]? = nil, types: [NamePattern]? = nil) {
    self.channels = channels
    self.types = types
  }

  package var isUnlimited: Bool { channels == nil && types == nil }

  /// Whether an activity can be read: one of its channels is enough.
  package func holds(_ activity: Activity) -> Bool {
    types.allows(activity.attributesType)
      && channels.map { patterns in activity.channels.contains(where: patterns.match) } ?? true
  }

  /// Whether an activity of this type can be published on these channels: all of them must be
  /// within reach, and one at least, or it couldn't be read afterwards.
  package func covers(type: String, channels names: [String]) -> Bool {
    covers(type: type)
      && channels.map { !names.isEmpty && names.allSatisfy($0.match) } ?? true
  }

  package func covers(type: String) -> Bool { types.allows(type) }

  /// Adds what identifies it.
  package func add(to digest: inout Digest) {
    for patterns in [channels, types] {
      digest.add(patterns == nil ? "all" : "")
      for text in (patterns ?? []).map(\.text).sorted() { digest.add(text) }
      digest.add("")
    }
  }
}

extension [NamePattern] {
  /// Whether any of them matches.
  package func match(_ name: String) -> Bool { contains { $0.matches(name) } }
}

extension [NamePattern]? {
  fileprivate func allows(_ name: String) -> Bool { self?.match(name) ?? true }
}
