package import ActivityCore

/// Refusals of lines that aren't requests at all. First errors teach.
extension Refusal {
  private static let example = "one request is one JSON object on one line, like {\"op\":\"help\"}"

  /// A line above the limit; the rest of it is skipped.
  package static func lineTooLong(bytesMax: Int) -> Refusal {
    Refusal(.lineTooLong, "a line may have \(bytesMax) bytes at most; this one was skipped")
  }

  /// A last line without a newline, where only the connection says that it ends there.
  package static var cutOff: Refusal {
    Refusal(
      .badJSON,
      "the connection ended in this line without a word of TLS that it ends there; it isn't carried "
        + "out: end it with a newline")
  }

  init(_ failure: JSONScanner.Failure, of line: RawSpan, depthMax: Int) {
    let place = "at byte \(failure.offset)"
    switch failure.reason {
    case .malformed:
      let found = Self.excerpt(of: line, from: failure.offset)
      self.init(.badJSON, "this is not JSON \(place), where \(found) stands")
    case .notUTF8:
      self.init(.badJSON, "this is not UTF-8")
    case .controlCharacter:
      self.init(.badJSON, "a control character in a string must be escaped, like \\n")
    case .tooDeep:
      self.init(.tooDeep, "\(depthMax) levels are allowed, and \(place) begins one more")
    case .unclosed:
      self.init(.badJSON, "the line ends before its object does: one request, one line")
    case .notAnObject:
      let found = Self.excerpt(of: line, from: failure.offset)
      let isJSON =
        "[\"-0123456789".utf8.contains(line[failure.offset])
        || ["null", "true", "false"].contains(found)
      self.init(isJSON ? .notAnObject : .badJSON, "\(found) is no request; \(Self.example)")
    }
  }

  static func missingOp() -> Refusal {
    Refusal(.missingKey, "op is required; \(example)", key: "op")
  }

  private static func excerpt(of line: RawSpan, from offset: Int) -> String {
    let rest = line.extracting(offset..<min(offset + 24, line.byteCount))
    let text = unsafe rest.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    return offset + 24 < line.byteCount ? "\(text)…" : text
  }
}
