internal import ActivityClient

/// Commands of publishers.
enum WriteCommands {
  static let start = Command(
    name: "start", summary: "make an activity",
    details: "Without --id, one is made up and told.",
    options: [
      Option("id", key: "id", .text("ID"), "its name"),
      Option("type", key: "attributes-type", .text("NAME"), "what kind of activity it is"),
      Option("attributes", key: "attributes", .pairs, "what never changes"),
      Option("attributes-json", key: "attributes", .json, "the same, as an object"),
    ] + Option.content + [.publishedOn] + Option.appearance + [
      .lifetime, .ifExists, .timestamp, .idempotencyKey,
    ]
  ) { arguments throws(Failure) in
    _ = try arguments.required("type")
    _ = try arguments.exactlyOne(of: ["state", "state-json"])
    try write("start", arguments)
  }

  static let update = Command(
    name: "update", summary: "replace the content of an activity",
    details: """
      The content is replaced as a whole; without --state it is kept. The stale date is always set \
      anew: without one, there is none.
      """,
    options: [.id] + Option.content + Option.appearance + [
      .ifVersion, .timestamp, .idempotencyKey,
    ]
  ) { arguments throws(Failure) in
    _ = try arguments.required("id")
    try write("update", arguments)
  }

  static let end = Command(
    name: "end", summary: "end an activity; its last content stays shown for a while",
    details: "Of several, each is ended by itself, and one that can't be doesn't stop the others.",
    options: [.id] + Option.several + Option.content + [
      Option("now", .flag, "take it away at once"),
      Option("dismissal-after", key: "dismissal-after", .span, "show it for this time; at most 4h"),
      Option(
        "dismissal-date", key: "dismissal-date", .number("SECONDS"),
        "the same, in seconds since 1970"),
    ] + Option.alert + [.ifVersion, .timestamp, .idempotencyKey]
  ) { arguments throws(Failure) in
    var keys = try arguments.keys()
    if arguments.has("now") { keys["dismissal"] = "immediate" }
    try writeEach("end", keys, of: ["pending", "active", "stale"], arguments)
  }

  static let cancel = Command(
    name: "cancel", summary: "take an activity away now, wherever it is in its life",
    details:
      "Of several, each is cancelled by itself, and one that can't be doesn't stop the others.",
    options: [.id] + Option.several + [.ifVersion, .timestamp, .idempotencyKey]
  ) { arguments throws(Failure) in
    try writeEach(
      "cancel", try arguments.keys(), of: ["pending", "active", "stale", "ended"], arguments)
  }

  static let push = Command(
    name: "push", summary: "send an APNs Live Activity payload as it is",
    details: """
      FILE is what Xcode keeps as .apns, or what a backend sends to Apple; - is the standard input. \
      It counts as made now, whatever timestamp was saved in it, unless --keep-timestamp is given. \
      Without --id, one is made up for an event start.
      """,
    operand: Operand(name: "FILE", isFile: true),
    options: [
      .id, .publishedOn, Option("keep-timestamp", .flag, "it was made when it says"), .priority,
      .lifetime, .sensitive, .ifExists,
    ] + Option.start + Option.source + [.ifVersion, .idempotencyKey]
  ) { arguments throws(Failure) in
    let path = arguments.operand ?? "-"
    guard var keys = JSONObject(text: try InputFile.text(path)) else {
      throw Failure(.data, "bad-json", "\(path) isn't one JSON object")
    }
    guard keys["aps"] != nil else {
      throw Failure(
        .data, "missing-key", "\(path) has no aps", advice: "An APNs payload is {\"aps\":{…}}.")
    }
    if !arguments.has("keep-timestamp") { keys["timestamp"] = "now" }
    for member in try arguments.keys().members { keys[member.key] = member.value }
    let client = try Server.client(arguments)
    try report(client.ask("push", keys), from: client, arguments)
  }
}

// MARK: - Carrying them out

extension WriteCommands {
  private static func write(_ operation: String, _ arguments: Arguments) throws(Failure) {
    let client = try Server.client(arguments)
    try report(client.ask(operation, arguments.keys()), from: client, arguments)
  }

  /// Of one, or of each that a flag selects.
  private static func writeEach(
    _ operation: String, _ keys: JSONObject, of states: [String], _ arguments: Arguments
  ) throws(Failure) {
    let selector = try arguments.exactlyOne(of: ["id", "all", "channel", "type"])
    let client = try Server.client(arguments)
    guard selector != "id" else {
      return try report(client.ask(operation, keys), from: client, arguments)
    }
    guard keys["idempotency-key"] == nil, keys["if-version"] == nil else {
      throw .usage("--idempotency-key and --if-version are for a single --id", of: operation)
    }
    var question: JSONObject = ["states": JSONValue(states)]
    if selector != "all" { question["\(selector)s"] = JSONValue(arguments.names(selector)) }
    var refusedCount = 0
    for id in try client.ask("list", question).items.compactMap({ $0.string("id") }) {
      var keys = keys
      keys["id"] = .string(id)
      if try !isAccepted(operation, keys, from: client, arguments) { refusedCount += 1 }
    }
    guard refusedCount == 0 else {
      let count = Description.count(refusedCount, "activity", "activities")
      throw Failure(.refused, "refused", "of \(count) it wasn't accepted")
    }
  }

  /// Carries out one of several, and tells what became of it: a refusal doesn't stop the others.
  static func isAccepted(
    _ operation: String, _ keys: JSONObject, from client: Client, _ arguments: Arguments
  ) throws(Failure) -> Bool {
    do throws(Failure) {
      try report(client.ask(operation, keys), from: client, arguments)
      return true
    } catch {
      guard error.code == .refused else { throw error }
      Output.warning("\(keys.string("id") ?? "?"): \(error.word): \(error.message)")
      return false
    }
  }

  static func report(
    _ answer: Answer, from client: Client, _ arguments: Arguments
  ) throws(Failure) {
    guard !arguments.has("json") else { return Output.json(answer.line) }
    let now = try client.welcome().now
    Output.line(Description.sentence(answer.line, now: now))
    if let ignored = answer.line.array("ignored") {
      let keys = ignored.compactMap(\.stringValue).joined(separator: ", ")
      Output.warning("without effect: \(keys)")
    }
  }
}
