package import ActivityCore

/// Answers to `help`.
extension LineWriter {
  package mutating func helped(_ topic: HelpTopic?, _ limits: Limits, ref: JSONText?) {
    beginAnswer("help", ref)
    switch topic {
    case nil:
      member("ops", Operation.allCases.map(\.rawValue))
    case .operation(let operation):
      member("topic", operation.rawValue)
      member("role", operation.role.rawValue)
      member("keys", operation.allKeys.map(\.name))
      member("example", operation.example)
      member("text", operation.text)
    case .limits:
      member("topic", "limits")
      key("limits")
      object(limits)
    case .errors:
      member("topic", "errors")
      key("errors")
      beginObject()
      for code in ErrorCode.allCases {
        separate()
        string(code.rawValue)
        append(":")
        string(code.text)
      }
      endObject()
    }
    endLine()
  }

  /// Sizes are in bytes, times in seconds.
  private mutating func object(_ limits: Limits) {
    beginObject()
    for limit in Limits.places {
      switch limit.place {
      case .bytes(let path, _), .count(let path, _): member(limit.name, limits[keyPath: path])
      case .optionalCount(let path, _): member(limit.name, limits[keyPath: path])
      case .span(let path, _): member(limit.name, limits[keyPath: path])
      case .optionalSpan(let path, _): member(limit.name, limits[keyPath: path])
      case .flag(let path): member(limit.name, limits[keyPath: path])
      }
    }
    endObject()
  }
}
