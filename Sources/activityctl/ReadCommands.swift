internal import ActivityClient

/// Commands that change nothing.
enum ReadCommands {
  static let get = Command(
    name: "get", summary: "tell everything about an activity",
    options: [
      .id, Option("delivery", key: "delivery", .flag, "and how many devices have it"),
    ]
  ) { arguments throws(Failure) in
    _ = try arguments.required("id")
    let client = try Server.client(arguments)
    let line = try client.ask("get", arguments.keys()).line
    guard !arguments.has("json") else { return Output.json(line) }
    let item = line.object("activity") ?? [:]
    var facts = JSONObject(item.members)
    for member in line.object("delivery")?.members ?? [] {
      facts["devices \(member.key)"] = member.value
    }
    Description.facts(facts, now: try client.welcome().now).forEach(Output.line)
  }

  static let list = Command(
    name: "list", summary: "tell which activities there are, the most relevant first",
    details: "Every flag given must match. With --json, a line an activity.",
    options: [
      Option("channel", key: "channels", .names("NAME"), "on this channel; may be repeated"),
      Option("type", key: "types", .names("NAME"), "of this type; may be repeated"),
      Option(
        "state", key: "states", .names("STATE"),
        "pending, active, stale, ended or dismissed; all but dismissed if not said"),
      Option("limit", key: "limit", .number("N"), "at most so many"),
    ]
  ) { arguments throws(Failure) in
    let client = try Server.client(arguments)
    let items = try client.ask("list", arguments.keys()).items
    guard !arguments.has("json") else { return items.forEach(Output.json) }
    guard !items.isEmpty else { return Output.line("no activities") }
    let now = try client.welcome().now
    var table = TextTable(["ID", "TYPE", "STATE", "NEXT", "CONTENT"])
    for item in items {
      table.append([
        item.string("id") ?? "", item.string("attributes-type") ?? "", item.string("state") ?? "",
        Description.deadline(item, now: now) ?? "", item["content-state"]?.text ?? "",
      ])
    }
    table.lines(fitting: Output.columns).forEach(Output.line)
  }

  static let ping = Command(
    name: "ping", summary: "ask for a sign of life, and how long it takes",
    options: []
  ) { arguments throws(Failure) in
    let client = try Server.client(arguments)
    let welcome = try client.welcome()
    let role = try client.connection().role
    let start = ContinuousClock.now
    let line = try client.ask("ping").line
    let milliseconds = (start.duration(to: .now) / .microseconds(1)).rounded() / 1_000
    guard !arguments.has("json") else { return Output.json(line) }
    Output.line(
      "\(client.address) answered in \(milliseconds) ms: activityd \(welcome.version), "
        + "role \(role), seq \(line.integer("seq") ?? 0)")
  }

  static let stats = Command(
    name: "stats", summary: "tell what the daemon holds and has done since it started",
    details: "Needs role admin."
  ) { arguments throws(Failure) in
    let line = try Server.client(arguments).ask("stats").line
    guard !arguments.has("json") else { return Output.json(line) }
    var table = TextTable(["WHAT", "VALUE"])
    for member in line.members where member.key != "ok" {
      for (name, value) in flat(member) {
        table.append([name, value.stringValue ?? value.text])
      }
    }
    table.lines().forEach(Output.line)
  }

  private static func flat(_ member: JSONObject.Member) -> [(String, JSONValue)] {
    guard let object = member.value.objectValue else { return [(member.key, member.value)] }
    return object.members.map { ("\(member.key) \($0.key)", $0.value) }
  }

  static let clients = Command(
    name: "clients", summary: "tell who is connected, and how far each is behind",
    details: "Needs role admin. With --json, a line a client."
  ) { arguments throws(Failure) in
    let clients = try Server.client(arguments).ask("clients").items
    guard !arguments.has("json") else { return clients.forEach(Output.json) }
    table(of: clients).lines(fitting: Output.columns).forEach(Output.line)
  }

  static func table(of clients: [JSONObject]) -> TextTable {
    var table = TextTable([
      "PEER", "ROLE", "DEVICE", "CONNECTED", "SEES", "BEHIND", "UNREAD", "TOKEN",
    ])
    for client in clients {
      table.append([
        client.string("peer") ?? "", client.string("role") ?? "", client.string("device") ?? "",
        TimeText.clock(client.number("connected") ?? 0), view(of: client), "\(behind(client))",
        "\(client.integer("unread-bytes") ?? 0)", client.string("token") ?? "",
      ])
    }
    return table
  }

  /// How many changes a client is still to be sent.
  static func behind(_ client: JSONObject) -> Int {
    (client.integer("dirty") ?? 0) + (client.integer("paced") ?? 0)
  }

  private static func view(of client: JSONObject) -> String {
    if client.bool("all") ?? false { return "everything" }
    return client.integer("keys").map { Description.count($0, "name") } ?? "-"
  }
}
