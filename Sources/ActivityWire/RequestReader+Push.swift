import ActivityCore

/// A push is a payload of APNs as it is: what a backend sends to Apple, or a saved file holds.
///
/// What has no meaning here is accepted, left out and named in the answer. A misspelling is not:
/// APNs would answer 200 to it, and nothing would ever be seen.
extension RequestReader {
  /// What a push stands for.
  private enum Event: String, CaseIterable {
    case start, update, end

    var operation: Operation {
      switch self {
      case .start: .start
      case .update: .update
      case .end: .end
      }
    }
  }

  func push(_ fields: Fields) throws(Refusal) -> Write {
    guard let number = fields.number(.aps) else { throw fields.missing(.aps) }
    guard scanner[number].kind == .object else {
      throw fields.refusal(.aps, mustBe: "an object, the payload of APNs")
    }
    var envelope = fields
    var aps = Fields(try fields.elements(of: number), of: scanner, path: "aps.")
    try aps.checkDuplicates()
    // Before the event is read: it may be what is misspelt.
    try checkSpelling(inside: aps)
    try checkSpelling(beside: envelope)
    let event: Event = try aps.require(try aps.choice(.event), .event)

    let known = Operation.push.allowed
    let meant = event.operation.allowed
    let inside = aps.drop { key in
      key != .event && !(KeySet.aps.contains(key) && meant.contains(key))
    }
    let beside = envelope.drop { key in
      key != .aps && !(known.contains(key) && meant.contains(key))
    }
    var write = try write(event.operation, content: aps, envelope: envelope)
    // In the order of their appearance.
    let ignored = fields.entries.flatMap { entry in
      entry.key == .aps ? inside : beside.filter { $0.member == entry.member }
    }
    write.ignored = ignored.map { Fields.excerpt(of: $0.name(in: scanner)) }
    return write
  }

  /// How many keys that mean nothing here may stand in `aps`, or beside it.
  private static var foreignKeysMax: Int { 32 }

  private func checkSpelling(inside aps: Fields) throws(Refusal) {
    for word in try foreignWords(in: aps, besides: .apsWithIgnored, of: "aps") {
      let known = KeySet.apsWithIgnored.keys.map(\.name)
      if let meant = Spelling.nearMiss(of: word, among: known) {
        throw aps.unknown(word, of: "aps", "did you mean \(meant)?")
      }
    }
  }

  private func checkSpelling(beside fields: Fields) throws(Refusal) {
    for word in try foreignWords(in: fields, besides: Operation.push.allowed, of: "push") {
      let known = KeySet.besideAps.keys.map(\.name)
      guard let meant = Spelling.nearMiss(of: word, among: known) else { continue }
      let advice = meant == word ? "it belongs into aps" : "did you mean \(meant)?"
      throw fields.unknown(word, of: "push", advice)
    }
  }

  /// The keys that aren't known to their owner.
  private func foreignWords(
    in fields: Fields, besides known: KeySet, of owner: String
  ) throws(Refusal) -> [String] {
    let words = fields.entries.filter { !($0.key.map(known.contains) ?? false) }
      .map { $0.name(in: scanner) }
    guard words.count <= Self.foreignKeysMax else {
      let advice = "\(Self.foreignKeysMax) without a meaning are let pass"
      throw fields.unknown(words[Self.foreignKeysMax], of: owner, advice)
    }
    return words
  }
}
