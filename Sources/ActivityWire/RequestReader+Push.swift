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

    let meant = KeySet(event.operation.keys)
    let inside = aps.drop { key in
      key != .event && !(NestedKeys.aps.contains(key) && meant.contains(key))
    }
    let beside = envelope.drop { key in
      Operation.push.keys.contains(key) && key != .aps && !meant.contains(key)
        || !Operation.push.allKeys.contains(key)
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

  /// The members whose keys aren't known to their owner.
  private func foreign(
    in fields: Fields, besides known: [Key], of owner: String
  ) throws(Refusal) -> [Fields.Entry] {
    let foreign = fields.entries.filter { !($0.key.map(known.contains) ?? false) }
    guard foreign.count <= Self.foreignKeysMax else {
      let word = foreign[Self.foreignKeysMax].name(in: scanner)
      let advice = "\(Self.foreignKeysMax) without a meaning are let pass"
      throw fields.unknown(word, of: owner, advice)
    }
    return foreign
  }

  private func checkSpelling(inside aps: Fields) throws(Refusal) {
    let known = NestedKeys.aps + NestedKeys.apsIgnored
    for entry in try foreign(in: aps, besides: known, of: "aps") {
      let word = entry.name(in: scanner)
      if let meant = Spelling.nearMiss(of: word, among: known.map(\.name)) {
        throw aps.unknown(word, of: "aps", "did you mean \(meant)?")
      }
    }
  }

  private func checkSpelling(beside fields: Fields) throws(Refusal) {
    let known = Operation.push.allKeys
    for entry in try foreign(in: fields, besides: known, of: "push") {
      let word = entry.name(in: scanner)
      if let key = entry.key, NestedKeys.aps.contains(key) {
        throw fields.unknown(word, of: "push", "it belongs into aps")
      }
      let words = (known + NestedKeys.aps).map(\.name)
      if let meant = Spelling.nearMiss(of: word, among: words) {
        throw fields.unknown(word, of: "push", "did you mean \(meant)?")
      }
    }
  }
}
