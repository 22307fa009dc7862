import ActivityCore

/// Who may see what: tokens, and what of an activity is sensitive.
extension RequestReader {
  func tokenAdd(_ fields: Fields) throws(Refusal) -> TokenAdd {
    var add = TokenAdd(
      name: try fields.require(try name(.name, in: fields), .name),
      role: try fields.require(try fields.choice(.role), .role))
    add.reach.channels = try patterns(.channels, in: fields)
    add.reach.types = try patterns(.types, in: fields)
    add.dismissesEverywhere = try fields.flag(.everywhere) ?? false
    add.surface = try fields.choice(.surface)
    add.device = try name(.device, in: fields)
    add.expires = try fields.moment(.expiresDate, .expiresAfter)
    guard add.role < .admin || add.reach.isUnlimited else {
      // It could make itself another one.
      let key: Key = add.reach.channels == nil ? .types : .channels
      throw Refusal(
        .badValue, "a token of role admin can't be limited to \(key.name)", key: key.name)
    }
    return add
  }

  private func patterns(_ key: Key, in fields: Fields) throws(Refusal) -> [NamePattern]? {
    try names(key, countMax: TokenText.patternsMax, in: fields)?.map { NamePattern($0) }
  }

  /// Paths into `content-state` and `attributes`.
  func sensitive(in fields: Fields) throws(Refusal) -> [SensitivePath]? {
    guard let number = fields.number(.sensitive) else { return nil }
    var wanted: String {
      "an array of up to \(limits.sensitivePathsMax) paths, as content-state/driver/phone"
    }
    guard scanner[number].kind == .array else { throw fields.refusal(.sensitive, mustBe: wanted) }
    let elements = try fields.elements(of: number)
    guard elements.count <= limits.sensitivePathsMax else {
      throw fields.refusal(.sensitive, mustBe: wanted)
    }
    var paths: [SensitivePath] = []
    for element in elements {
      let member = scanner[element]
      guard member.kind == .string, member.text.count <= limits.nameBytesMax,
        let path = SensitivePath(scanner.string(member.text))
      else { throw fields.refusal(.sensitive, mustBe: wanted) }
      if !paths.contains(path) { paths.append(path) }
    }
    return paths
  }
}

/// Bounds of what concerns tokens.
enum TokenText {
  /// Of what `hello` may show, in bytes, whatever the limit on names.
  static let bytesMax = 128
  /// Channels, and types, that one token may name.
  static let patternsMax = 64
}
