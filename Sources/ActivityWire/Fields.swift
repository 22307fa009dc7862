import ActivityCore

/// The members of one object of a request, found by their keys.
///
/// The reading functions give nil for a key that is absent, and refuse a value that isn't what the
/// key wants; the refusal names the key, what is wanted and what was there.
struct Fields {
  /// One member.
  struct Entry {
    /// Its number.
    let member: Int
    /// Nil: not a key of any request.
    let key: Key?

    func name(in scanner: JSONScanner) -> String {
      key?.name ?? scanner.string(scanner[member].key)
    }
  }

  let scanner: JSONScanner
  /// What stands before a key in a message: `aps.` for the members of `aps`.
  let path: String
  /// All members in order, each once if there are no duplicates. They are few, and searched.
  private(set) var entries: [Entry] = []
  /// The keys among them: most that are looked for are absent.
  private var present = KeyBits()

  init(_ members: Range<Int>, of scanner: JSONScanner, path: String = "") {
    self.scanner = scanner
    self.path = path
    entries.reserveCapacity(members.count)
    for member in members {
      let key = scanner.withBytes(scanner[member].key) { Key($0) }
      if let key { present.insert(key) }
      entries.append(Entry(member: member, key: key))
    }
  }

  /// The number of the key's member, for reading on in it.
  func number(_ key: Key) -> Int? {
    present.contains(key) ? entries.first { $0.key == key }?.member : nil
  }

  func member(_ key: Key) -> JSONScanner.Member? {
    number(key).map { scanner[$0] }
  }

  func has(_ key: Key) -> Bool { number(key) != nil }

  /// Whether there is a known key that isn't among these.
  func hasOthers(than keys: KeyBits) -> Bool { !present.isSubset(of: keys) }

  func isNull(_ key: Key) -> Bool { member(key)?.kind == .null }

  /// Leaves out what is not known, and the keys that `isDropped`; gives them in order.
  mutating func drop(_ isDropped: (Key) -> Bool) -> [Entry] {
    let dropped = entries.filter { $0.key.map(isDropped) ?? true }
    entries.removeAll { $0.key.map(isDropped) ?? true }
    present = KeyBits(entries.compactMap(\.key))
    return dropped
  }

  // MARK: Keys

  /// Refuses a key that is there twice, however it is spelt.
  func checkDuplicates() throws(Refusal) {
    var known = KeyBits()
    var unknown: Set<Name> = []
    for entry in entries {
      let isNew =
        entry.key.map { known.insert($0) }
        ?? unknown.insert(Name(entry.name(in: scanner))).inserted
      guard isNew else {
        let name = Self.excerpt(of: entry.name(in: scanner))
        throw Refusal(.duplicateKey, "\(path)\(name) is there twice", key: name)
      }
    }
  }

  /// Whether there is no other key.
  func areAll(in known: KeyBits) -> Bool {
    entries.allSatisfy { $0.key.map(known.contains) ?? false }
  }

  /// Refuses a key that doesn't belong to `owner`.
  func checkKnown(_ known: KeySet, of owner: String) throws(Refusal) {
    for entry in entries {
      if let key = entry.key, known.contains(key) { continue }
      let word = entry.name(in: scanner)
      let words = known.keys.map(\.name)
      guard let nearest = Spelling.nearest(to: word, among: words) else {
        throw unknown(word, of: owner, "its keys are \(words.joined(separator: ", "))")
      }
      throw unknown(word, of: owner, "did you mean \(nearest.word)?")
    }
  }

  func unknown(_ word: String, of owner: String, _ advice: String) -> Refusal {
    let word = Self.excerpt(of: word)
    return Refusal(.unknownKey, "\(owner) has no key \(word); \(advice)", key: word)
  }

  /// Of the bytes of all members but one.
  func digest(without key: Key) -> Digest {
    var digest = Digest()
    for entry in entries where entry.key != key {
      let member = scanner[entry.member]
      digest.add(scanner.string(member.key))
      digest.add(scanner.string(member.value))
    }
    return digest
  }

  // MARK: Refusals

  func name(_ key: Key) -> String { path + key.name }

  /// A refusal of the key's value, which names what is wanted and what it is.
  func refusal(_ key: Key, mustBe wanted: @autoclosure () -> String, code: ErrorCode = .badValue)
    -> Refusal
  {
    let value = member(key).map { Self.excerpt(of: scanner.string($0.value)) } ?? "absent"
    return Refusal(code, "\(name(key)) must be \(wanted()); it is \(value)", key: key.name)
  }

  func missing(_ key: Key, _ why: String = "") -> Refusal {
    Refusal(.missingKey, "\(name(key)) is required\(why)", key: key.name)
  }

  func require<Value>(_ value: Value?, _ key: Key) throws(Refusal) -> Value {
    guard let value else { throw missing(key) }
    return value
  }

  /// The beginning of what may be long, for a message.
  static func excerpt(of text: String) -> String {
    guard text.utf8.count > 60 else { return text }
    let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(40)))
    return "\(beginning)… (\(text.utf8.count) bytes)"
  }

  // MARK: Values

  func string(
    _ key: Key, _ wanted: @autoclosure () -> String
  ) throws(Refusal) -> JSONScanner.Bytes? {
    guard let member = member(key) else { return nil }
    guard member.kind == .string else { throw refusal(key, mustBe: wanted()) }
    return member.text
  }

  /// A name: a string of 1 to `bytesMax` bytes without control characters.
  func name(_ key: Key, bytesMax: Int) throws(Refusal) -> String? {
    guard let text = try string(key, Self.wantedName(bytesMax)) else { return nil }
    guard isName(text, bytesMax: bytesMax) else {
      throw refusal(key, mustBe: Self.wantedName(bytesMax))
    }
    return scanner.string(text)
  }

  /// An array of names, 1 to `countMax` of them. Those that were there before are dropped.
  func names(_ key: Key, countMax: Int, bytesMax: Int) throws(Refusal) -> [String]? {
    guard let number = number(key) else { return nil }
    var notNames: Refusal { refusal(key, mustBe: "an array of 1 to \(countMax) names") }
    guard scanner[number].kind == .array else { throw notNames }
    var names: [String] = []
    var seen: Set<Name> = []
    for element in try elements(of: number) {
      let member = scanner[element]
      guard member.kind == .string, isName(member.text, bytesMax: bytesMax) else {
        throw refusal(key, mustBe: "an array of names, each \(Self.wantedName(bytesMax))")
      }
      let name = scanner.string(member.text)
      if seen.insert(Name(name)).inserted { names.append(name) }
    }
    guard 1...countMax ~= names.count else { throw notNames }
    return names
  }

  func flag(_ key: Key) throws(Refusal) -> Bool? {
    guard let member = member(key) else { return nil }
    switch member.kind {
    case .true: return true
    case .false: return false
    case .null, .number, .string, .array, .object:
      throw refusal(key, mustBe: "true or false")
    }
  }

  func integer(
    _ key: Key, _ range: ClosedRange<Int64>, _ wanted: @autoclosure () -> String
  ) throws(Refusal) -> Int64? {
    guard let member = member(key) else { return nil }
    guard member.kind == .number, let value = number(member.value).integer, range ~= value
    else { throw refusal(key, mustBe: wanted()) }
    return value
  }

  func double(_ key: Key) throws(Refusal) -> Double? {
    guard let member = member(key) else { return nil }
    guard member.kind == .number, let value = Double(scanner.string(member.value)),
      value.isFinite
    else { throw refusal(key, mustBe: "a finite number") }
    return value
  }

  /// One of a few words.
  func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ key: Key, _ type: Word.Type = Word.self
  ) throws(Refusal) -> Word? {
    var wanted: String {
      "one of " + Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    }
    guard let text = try string(key, wanted) else { return nil }
    guard let word = Word(rawValue: scanner.string(text)) else {
      throw refusal(key, mustBe: wanted)
    }
    return word
  }

  /// An object as it was sent.
  func object(_ key: Key) throws(Refusal) -> JSONText? {
    guard let member = member(key) else { return nil }
    guard member.kind == .object else { throw refusal(key, mustBe: "an object") }
    return json(key)
  }

  /// Any value as it was sent.
  func json(_ key: Key) -> JSONText? {
    member(key).map { JSONText(bytes: scanner.copy($0.value)) }
  }

  func number(_ token: JSONScanner.Bytes) -> DecimalNumber {
    scanner.withBytes(token) { DecimalNumber($0) }
  }

  /// The elements of an array, or the members of an object, that was scanned already.
  func elements(of number: Int) throws(Refusal) -> Range<Int> {
    do { return try scanner.members(of: number) } catch {
      throw Refusal(.internal, "a value could not be read again")
    }
  }

  static func wantedName(_ bytesMax: Int) -> String {
    "a string of 1 to \(bytesMax) bytes without control characters"
  }

  private func isName(_ text: JSONScanner.Bytes, bytesMax: Int) -> Bool {
    1...bytesMax ~= text.count && !scanner.withBytes(text) { $0.holdsControlCharacters }
  }
}
