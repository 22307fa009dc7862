internal import ActivityClient

/// Commands that say who else may connect, and as what.
enum TokenCommands {
  static let add = Command(
    name: "token add", summary: "make a token, which grants a role to who has it",
    details: """
      The secret is shown this once, and nowhere kept: it is all that is written to the standard \
      output, so that (umask 077; activityctl token add …  >FILE) keeps it from the screen; what \
      it grants is said on the standard error. A channel or type may end in *, for all that begin \
      so. Give it to activityctl by --token-file or ACTIVITYD_TOKEN, to others as the key token of \
      hello. Needs role admin.
      """,
    operand: Operand(name: "NAME"),
    options: [
      Option("role", key: "role", .choice(["device", "publisher", "admin"]), "what it grants"),
      Option(
        "channel", key: "channels", .names("NAME"),
        "to see, or publish, on this channel only; may be repeated"),
      Option(
        "type", key: "types", .names("NAME"), "to see, or publish, this type only; may be repeated"),
      Option("everywhere", key: "everywhere", .flag, "a device may dismiss for all others too"),
      Option(
        "surface", key: "surface", .choice(["public", "private"]),
        "public: it is where everybody can see it, and never shown what is sensitive"),
      Option("only-device", key: "device", .text("NAME"), "good for this device only"),
      Option("expires-after", key: "expires-after", .span, "good for this time"),
      Option(
        "expires-date", key: "expires-date", .number("SECONDS"),
        "the same, in seconds since 1970"),
    ]
  ) { arguments throws(Failure) in
    _ = try arguments.required("role")
    var keys: JSONObject = ["name": arguments.operand.map(JSONValue.string) ?? .null]
    for member in try arguments.keys().members { keys[member.key] = member.value }
    let client = try Server.client(arguments)
    let line = try client.ask("token-add", keys).line
    guard !arguments.has("json") else { return Output.json(line) }
    Output.line(line.string("token") ?? "?")
    Output.remark("\(line.string("name") ?? "?"): \(grants(line, now: try client.welcome().now))")
  }

  static let list = Command(
    name: "token list", summary: "tell which tokens there are, never their secrets",
    details: "With --json, a line a token. Needs role admin."
  ) { arguments throws(Failure) in
    let client = try Server.client(arguments)
    let tokens = try client.ask("token-list").items
    guard !arguments.has("json") else { return tokens.forEach(Output.json) }
    guard !tokens.isEmpty else { return Output.line("no tokens") }
    let now = try client.welcome().now
    var table = TextTable(["NAME", "AGE", "GRANTS"])
    for token in tokens {
      table.append([
        token.string("name") ?? "",
        token.number("created-date").map { TimeText.clock(max(0, now - $0)) } ?? "",
        grants(token, now: now),
      ])
    }
    table.lines(fitting: Output.columns).forEach(Output.line)
  }

  static let revoke = Command(
    name: "token revoke", summary: "make a token void, and cut off who is connected with it",
    details: "Needs role admin.",
    operand: Operand(name: "NAME")
  ) { arguments throws(Failure) in
    let keys: JSONObject = ["name": arguments.operand.map(JSONValue.string) ?? .null]
    let line = try Server.client(arguments).ask("token-revoke", keys).line
    guard !arguments.has("json") else { return Output.json(line) }
    let sessions = Description.count(line.integer("sessions") ?? 0, "connection")
    Output.line("\(line.string("name") ?? "?") is void; \(sessions) closed")
  }

  /// What a token is good for, in words.
  static func grants(_ token: JSONObject, now: Double) -> String {
    var facts = [token.string("role") ?? "?"]
    for key in ["channels", "types"] {
      let names = token.array(key)?.compactMap(\.stringValue) ?? []
      if !names.isEmpty { facts.append("\(key) \(names.joined(separator: " "))") }
    }
    if token.bool("everywhere") ?? false { facts.append("may dismiss everywhere") }
    if let surface = token.string("surface") { facts.append("surface \(surface)") }
    if let device = token.string("device") { facts.append("only device \(device)") }
    if let date = token.number("expires-date") {
      facts.append("expires in \(TimeText.clock(max(0, date - now)))")
    }
    return facts.joined(separator: ", ")
  }
}
