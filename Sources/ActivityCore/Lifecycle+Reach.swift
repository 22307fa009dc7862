extension Lifecycle {
  /// Refuses what lies beyond an actor's reach. What can't be read isn't there; what can be read
  /// but not published is forbidden.
  func check(
    _ command: Command, within reach: Reach, id: String, on current: Activity?
  ) throws(Refusal) {
    switch command {
    case .start(let start):
      try checkPublishing(
        start.attributesType, start.channels, within: reach,
        key: reach.covers(type: start.attributesType) ? "channels" : "attributes-type")
      // Its life would be over, or go on differently.
      guard let current else { return }
      guard reach.covers(type: current.attributesType, channels: current.channels) else {
        throw Refusal(
          .forbidden, "this id belongs to an activity that this token may not publish", key: "id")
      }
    case .cancel(let cancel) where cancel.reason == .device:
      // A right to take away what one sees.
      try checkReading(current, within: reach, id: id)
    case .update, .end, .cancel:
      try checkReading(current, within: reach, id: id)
      if let current {
        try checkPublishing(
          current.attributesType, current.channels, within: reach, key: "id")
      }
    }
  }

  private func checkReading(
    _ current: Activity?, within reach: Reach, id: String
  ) throws(Refusal) {
    if let current, !reach.holds(current) { throw unknown(id) }
  }

  private func checkPublishing(
    _ type: String, _ channels: [String], within reach: Reach, key: String
  ) throws(Refusal) {
    guard !reach.covers(type: type, channels: channels) else { return }
    throw Refusal(.forbidden, "this token may publish \(reach) only", key: key)
  }
}

extension Reach: CustomStringConvertible {
  /// For a refusal: "types delivery, ride on channels home:*".
  package var description: String {
    func list(_ patterns: [NamePattern]) -> String { patterns.map(\.text).joined(separator: ", ") }
    let parts = [types.map { "types \(list($0))" }, channels.map { "on channels \(list($0))" }]
    return parts.compactMap { $0 }.joined(separator: " ")
  }
}
