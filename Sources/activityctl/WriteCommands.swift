internal import ActivityClient

/// Commands of publishers.
enum WriteCommands {
  private static let content: [Option] = [
    Option(
      "state", key: "content-state", .pairs,
      "the content; a value that is JSON is taken as JSON, others as text"),
    Option("state-json", key: "content-state", .json, "the content, of any form"),
  ]
  private static let appearance: [Option] = [
    Option("relevance", key: "relevance-score", .number("N"), "the higher, the sooner it is shown"),
    Option("priority", key: "priority", .number("10|5"), "10: at once; 5: within a second"),
    Option("stale-after", key: "stale-after", .span, "out of date after this time"),
    Option("stale-date", key: "stale-date", .number("SECONDS"), "the same, in seconds since 1970"),
    Option("alert", key: "alert", .text("TEXT"), "draw attention, once"),
    Option("alert-json", key: "alert", .json, "the same, with title, body and sound"),
    Option("url", key: "url", .text("URL"), "where a tap leads"),
    Option("links", key: "links", .json, "where its parts lead"),
    Option("start-after", key: "start-after", .span, "begin after this time"),
    Option("start-date", key: "start-date", .number("SECONDS"), "the same, in seconds since 1970"),
    sensitive,
    Option("source", key: "source", .text("NAME"), "which of several writers this is"),
    Option("source-priority", key: "source-priority", .number("N"), "which of them wins"),
  ]
  private static let sensitive = Option(
    "sensitive", key: "sensitive", .names("PATH"),
    "not shown where everybody can see it, as content-state/code; may be repeated")
  private static let timestamp = Option(
    "timestamp", key: "timestamp", .number("SECONDS"), "when this was true, if not now")
  private static let ifVersion = Option(
    "if-version", key: "if-version", .number("N"), "only if it still has this version")
  private static let idempotencyKey = Option(
    "idempotency-key", key: "idempotency-key", .text("KEY"),
    "carried out once for this key, within 10 minutes")
  private static let several: [Option] = [
    Option("all", .flag, "all that there are"),
    Option("channel", .names("NAME"), "all on this channel; may be repeated"),
    Option("type", .names("NAME"), "all of this type; may be repeated"),
  ]

  static let start = Command(
    name: "start", summary: "make an activity",
    details: "Without --id, one is made up and told.",
    options: [
      Option("id", key: "id", .text("ID"), "its name"),
      Option("type", key: "attributes-type", .text("NAME"), "what kind of activity it is"),
      Option("attributes", key: "attributes", .pairs, "what never changes"),
      Option("attributes-json", key: "attributes", .json, "the same, as an object"),
    ] + content + [
      Option("channel", key: "channels", .names("NAME"), "publish it there; may be repeated")
    ] + appearance + [
      Option("lifetime", key: "lifetime", .span, "how long it may be live; 8h if not said"),
      Option(
        "if-exists", key: "if-exists", .choice(["error", "update", "replace"]),
        "what to do if the id is taken"),
      timestamp, idempotencyKey,
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
    options: [Option("id", key: "id", .text("ID"), "which activity")] + content + appearance
      + [ifVersion, timestamp, idempotencyKey]
  ) { arguments throws(Failure) in
    _ = try arguments.required("id")
    try write("update", arguments)
  }

  static let end = Command(
    name: "end", summary: "end an activity; its last content stays shown for a while",
    details: "Of several, each is ended by itself, and one that can't be doesn't stop the others.",
    options: [Option("id", key: "id", .text("ID"), "which activity")] + several + content + [
      Option("now", .flag, "take it away at once"),
      Option("dismissal-after", key: "dismissal-after", .span, "show it for this time; at most 4h"),
      Option(
        "dismissal-date", key: "dismissal-date", .number("SECONDS"),
        "the same, in seconds since 1970"),
      Option("alert", key: "alert", .text("TEXT"), "draw attention, once"),
      Option("alert-json", key: "alert", .json, "the same, with title, body and sound"),
      ifVersion, timestamp, idempotencyKey,
    ]
  ) { arguments throws(Failure) in
    var keys = try arguments.keys()
    if arguments.has("now") { keys["dismissal"] = "immediate" }
    try writeEach("end", keys, of: ["pending", "active", "stale"], arguments)
  }

  static let cancel = Command(
    name: "cancel", summary: "take an activity away now, wherever it is in its life",
    details:
      "Of several, each is cancelled by itself, and one that can't be doesn't stop the others.",
    options: [Option("id", key: "id", .text("ID"), "which activity")] + several
      + [ifVersion, timestamp, idempotencyKey]
  ) { arguments throws(Failure) in
    try writeEach(
      "cancel", try arguments.keys(), of: ["pending", "active", "stale", "ended"], arguments)
  }

  static let push = Command(
    name: "push", summary: "send an APNs Live Activity payload as it is",
    details: """
      FILE is what Xcode keeps as .apns, or what a backend sends to Apple; - is the standard input. \
      It counts as made now, whatever timestamp was saved in it, unless --keep-timestamp is given.
      """,
    operand: Operand(name: "FILE", isFile: true),
    options: [
      Option("id", key: "id", .text("ID"), "which activity"),
      Option("channel", key: "channels", .names("NAME"), "publish it there; may be repeated"),
      Option("keep-timestamp", .flag, "it was made when it says"),
      Option("lifetime", key: "lifetime", .span, "how long it may be live"), sensitive,
      Option(
        "if-exists", key: "if-exists", .choice(["error", "update", "replace"]),
        "what to do if the id is taken"),
      ifVersion, idempotencyKey,
    ]
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
    var failures = 0
    for id in try client.ask("list", question).items.compactMap({ $0.string("id") }) {
      var keys = keys
      keys["id"] = .string(id)
      do throws(Failure) {
        try report(client.ask(operation, keys), from: client, arguments)
      } catch {
        guard error.code == .refused else { throw error }
        failures += 1
        Output.warning("\(id): \(error.word): \(error.message)")
      }
    }
    guard failures == 0 else {
      let count = Description.count(failures, "activity", "activities")
      throw Failure(.refused, "refused", "of \(count) it wasn't accepted")
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
