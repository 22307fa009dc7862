import ActivityWire

/// The input chooses an operation and, for each of its keys and some that aren't, whether it is
/// missing, there, there twice, or of which wrong type. Every such request has one answer.
func fuzzKeys(_ input: [UInt8]) {
  let (daemon, publisher) = MemoryDaemon.withScene()
  var choices = Choices(input)
  while !choices.isEmpty {
    let line = request(&choices)
    // A request that ends the session is the last.
    guard let answers = daemon.answers(to: line, on: publisher) else { break }
    precondition(answers == 1, "\(answers) answers to \(line)")
  }
  daemon.seeTheEnd(publisher)
}

extension MemoryDaemon {
  /// Nil if the request ended the session.
  fileprivate func answers(to line: String, on connection: Int) -> Int? {
    let count = order(line, on: connection)
    return isClosed(connection) ? nil : count
  }
}

private func request(_ choices: inout Choices) -> String {
  let operation = choices.pick(Operation.allCases)
  var members = [#""op":"\#(operation.rawValue)""#]
  for key in operation.allKeys where key != .op && key != .reply {
    members += member(key, &choices)
  }
  if choices.next() == 0 { members += member(choices.pick(Key.allCases), &choices) }
  if operation == .push { members.append(#""aps":\#(payload(&choices))"#) }
  return "{" + members.joined(separator: ",") + "}"
}

/// The payload of a push, with keys of APNs.
private func payload(_ choices: inout Choices) -> String {
  var members: [String] = []
  let keys: [Key] = [
    .event, .timestamp, .contentState, .attributesType, .attributes, .alert, .staleDate,
    .dismissalDate, .relevanceScore, .inputPushToken, .sound, .badge, .threadId,
  ]
  for key in keys { members += member(key, &choices) }
  return "{" + members.joined(separator: ",") + "}"
}

private func member(_ key: Key, _ choices: inout Choices) -> [String] {
  switch choices.next() % 8 {
  case 0...3: []
  case 4: ["\"\(key.name)\":\(choices.pick(values))", "\"\(key.name)\":\(choices.pick(values))"]
  case 5: ["\"\(key.name)\":\(choices.pick(values))"]
  default: ["\"\(key.name)\":\(rightValue(of: key, &choices))"]
  }
}

private let values = [
  "null", "true", "false", "0", "1", "-1", "0.5", "1e400", "-0.0", "9007199254740993",
  "1800000000", "1800000000000", "1e-7", "99999999999999999999", #""""#, #""a""#, #""c""#,
  #""\u0000""#, #""\ud800""#, #""now""#, "[]", "{}", #"["a"]"#, #"["a","a"]"#, "[1]", "[[]]",
  #"{"a":{"b":[1,2,{}]}}"#, #"{"title":"t","body":"b"}"#, #""update""#, #""immediate""#,
]

/// One that the key may have; often enough, at least.
private func rightValue(of key: Key, _ choices: inout Choices) -> String {
  switch key {
  case .id: choices.pick([#""a""#, #""b""#, #""c""#, #""d""#, #""e""#, #""new""#])
  case .event: choices.pick([#""start""#, #""update""#, #""end""#])
  case .attributes: choices.pick(["{}", #"{"x":1}"#])
  case .attributesType, .source, .device, .idempotencyKey, .actionId, .name: #""T""#
  case .channels, .ids, .types: #"["c"]"#
  case .states: #"["active","stale"]"#
  case .ifExists: choices.pick([#""error""#, #""update""#, #""replace""#])
  case .dismissal: choices.pick([#""default""#, #""immediate""#])
  case .priority: choices.pick(["5", "10"])
  case .staleAfter, .startAfter, .dismissalAfter, .lifetime:
    choices.pick(["0", "1", "60", "3600.5", "28800"])
  case .staleDate, .startDate, .dismissalDate, .timestamp:
    choices.pick(["1800000000", "1800000060", "1800003600", "1799999000", #""now""#])
  case .all, .feedback, .follow, .delivery, .everywhere, .activitiesEnabled:
    choices.pick(["true", "false"])
  case .ifVersion, .sourcePriority, .limit: choices.pick(["0", "1", "2", "1000000"])
  case .alert: choices.pick([#""hey""#, #"{"title":"t","body":{"loc-key":"k"}}"#])
  case .url: #""https://example.org""#
  case .links: #"[{"name":"n","title":"t","url":"https://example.org"}]"#
  default: choices.pick(values)
  }
}

/// Bytes, used up one by one; zeros when they are.
struct Choices {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func next() -> Int { Int(rest.popFirst() ?? 0) }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[next() % values.count] }

  /// Eight of them, or what is left.
  mutating func nextInteger() -> Int64 {
    (0..<8).reduce(0) { value, _ in value << 8 | Int64(next()) }
  }
}
