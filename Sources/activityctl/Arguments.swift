internal import ActivityClient

/// What stands on the command line behind the name of a command.
struct Arguments {
  let command: Command
  private(set) var operand: String?
  /// In the order in which they were given, with their values.
  private var values: [(option: Option, value: JSONValue)] = []

  /// Reads flags, in any order, `--name value` or `--name=value`; `--` ends them.
  init(_ words: [String], of command: Command) throws(Failure) {
    self.command = command
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        try takeOperands(rest)
        break
      } else if word.hasPrefix("--") {
        try take(flag: word.dropFirst(2), from: &rest)
      } else if word.hasPrefix("-"), word != "-" {
        throw usage("there is no flag \(word); flags have two hyphens")
      } else {
        try takeOperands([word])
      }
    }
    if let wanted = command.operand, wanted.isRequired, operand == nil {
      throw usage("\(wanted.name) is missing")
    }
  }

  private func usage(_ message: String) -> Failure { .usage(message, of: command.name) }

  private mutating func takeOperands(_ words: ArraySlice<String>) throws(Failure) {
    for word in words {
      guard command.operand != nil, operand == nil else {
        throw usage("\(word) is one word too many")
      }
      operand = word
    }
  }

  private mutating func take(
    flag: Substring, from rest: inout ArraySlice<String>
  ) throws(Failure) {
    let name = String(flag.prefix { $0 != "=" })
    guard let option = CommandTable.options(of: command).first(where: { $0.name == name }) else {
      throw usage("there is no flag --\(name)")
    }
    let joined = name.count < flag.count ? String(flag.dropFirst(name.count + 1)) : nil
    if option.kind == .flag {
      guard joined == nil else { throw usage("--\(name) takes no value") }
      return set(option, .bool(true))
    }
    guard let word = joined ?? rest.popFirst() else {
      throw usage("--\(name) needs a value: \(option.synopsis)")
    }
    set(option, try value(word, of: option))
    guard option.kind == .pairs else { return }
    while let next = rest.first, !next.hasPrefix("-"), next.contains("=") {
      set(option, try value(rest.removeFirst(), of: option))
    }
  }

  /// A later value takes the place of an earlier one, unless the flag may be given several times.
  private mutating func set(_ option: Option, _ value: JSONValue) {
    guard let index = values.firstIndex(where: { $0.option.name == option.name }) else {
      return values.append((option, value))
    }
    switch (values[index].value, value) {
    case (.array(let earlier), .array(let later)): values[index].value = .array(earlier + later)
    case (.object(var pairs), .object(let more)) where option.kind == .pairs:
      for member in more.members { pairs[member.key] = member.value }
      values[index].value = .object(pairs)
    default: values[index].value = value
    }
  }

  private func value(_ word: String, of option: Option) throws(Failure) -> JSONValue {
    switch option.kind {
    case .flag: return .bool(true)
    case .text, .file: return .string(word)
    case .names: return [.string(word)]
    case .number:
      guard let value = JSONValue(text: word), value.numberValue != nil else {
        throw usage("\(option.synopsis) takes a number, not \(word)")
      }
      return value
    case .span:
      guard let seconds = TimeText.seconds(word) else {
        throw usage("\(option.synopsis) takes a time as 90s, 5m or 1h30m, not \(word)")
      }
      return JSONValue(seconds)
    case .share:
      guard let share = Self.share(word) else {
        throw usage("\(option.synopsis) takes a share as 5%, not \(word)")
      }
      return JSONValue(share)
    case .choice(let words):
      guard words.contains(word) else {
        throw usage("--\(option.name) is \(words.joined(separator: " or ")), not \(word)")
      }
      return .string(word)
    case .pairs:
      guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
        throw usage("--\(option.name) takes key=value, not \(word)")
      }
      return .object([String(word[..<equals]): Self.loose(word[equals...].dropFirst())])
    case .json:
      guard let value = JSONValue(text: word) else {
        throw usage("--\(option.name) takes JSON, not \(word)")
      }
      return value
    }
  }

  /// 0 to 1; written as `5%`, which may be left out.
  private static func share(_ word: String) -> Double? {
    let digits = word.hasSuffix("%") ? word.dropLast() : word[...]
    guard let percent = Double(digits), (0...100).contains(percent) else { return nil }
    return percent / 100
  }

  /// What a person means by a value: JSON if it is, else a text.
  private static func loose(_ word: Substring) -> JSONValue {
    JSONValue(text: word) ?? .string(String(word))
  }
}

// MARK: - What was given

extension Arguments {
  subscript(name: String) -> JSONValue? { values.first { $0.option.name == name }?.value }

  func has(_ name: String) -> Bool { self[name] != nil }

  func string(_ name: String) -> String? { self[name]?.stringValue }

  /// The value of a flag that is about this client, and sets no key of its request.
  func ownString(_ name: String) -> String? {
    values.first { $0.option.name == name && $0.option.key == nil }?.value.stringValue
  }

  func names(_ name: String) -> [String] {
    self[name]?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// A length of time, however long somebody wants it.
  func duration(_ name: String) -> Duration? {
    self[name]?.numberValue.map { .seconds(clamping: $0) }
  }

  /// How many times as fast as it was, or as in life: so that no time becomes too long to be waited
  /// for, or too short to be told.
  ///
  /// - Throws: if it is a number beyond that.
  func speed() throws(Failure) -> Double? {
    guard let speed = self["speed"]?.numberValue else { return nil }
    guard 0.001...1e6 ~= speed else { throw usage("--speed is from 0.001 to 1000000") }
    return speed
  }

  /// - Throws: if it is anything else than a whole number of these.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
    guard let value = self[name] else { return nil }
    guard let number = value.integerValue, range.contains(number) else {
      throw usage("--\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The keys of the request that the flags set, in the order of the flags. Two flags for one key
  /// contradict each other.
  func keys() throws(Failure) -> JSONObject {
    var keys = JSONObject()
    for (option, value) in values {
      guard let key = option.key else { continue }
      guard keys[key] == nil else {
        throw usage("--\(option.name) says the same as another flag in another way")
      }
      keys[key] = value
    }
    return keys
  }

  /// The value of a flag that must be there.
  func required(_ name: String) throws(Failure) -> JSONValue {
    guard let value = self[name] else { throw usage("--\(name) is missing") }
    return value
  }

  /// - Throws: if more than one of these flags was given, or none.
  func exactlyOne(of names: [String]) throws(Failure) -> String {
    let given = names.filter(has)
    guard given.count == 1 else {
      let list = names.map { "--\($0)" }.joined(separator: ", ")
      throw usage(given.isEmpty ? "say which: \(list)" : "only one of \(list)")
    }
    return given[0]
  }
}
