internal import ActivityClient

/// Commands that do what a person at a device does.
enum DeviceCommands {
  static let device = Option("device", .text("NAME"), "as this device, which is remembered")
  static let surface = Option(
    "surface", .choice(["public", "private"]),
    "who can see it: where everybody can, what is sensitive isn't shown")
  private static let id = Option("id", key: "id", .text("ID"), "which activity")

  static let action = Command(
    name: "action", summary: "press a button of an activity: its publishers are told",
    operand: Operand(name: "NAME"),
    options: [
      id,
      Option("payload-json", key: "payload", .json, "what goes with it"),
      Option(
        "action-id", key: "action-id", .text("ID"),
        "a name for this press, by which a repetition is known; made up if not said"),
      Option("if-version", key: "if-version", .number("N"), "only if it still has this version"),
      device,
    ]
  ) { arguments throws(Failure) in
    _ = try arguments.required("id")
    var keys = try arguments.keys()
    keys["name"] = arguments.operand.map(JSONValue.string)
    if keys["action-id"] == nil {
      keys["action-id"] = .string(String(UInt64.random(in: .min ... .max), radix: 36))
    }
    let line = try Server.client(arguments).ask("action", keys).line
    guard !arguments.has("json") else { return Output.json(line) }
    let publishers = line.integer("publishers") ?? 0
    Output.line(
      publishers == 0
        ? "nobody listens for actions"
        : "told to \(Description.count(publishers, "publisher"))")
  }

  static let dismiss = Command(
    name: "dismiss", summary: "swipe an activity away, on one device or everywhere",
    details: "Without --device or --everywhere it is a device that nobody knows, with no effect.",
    options: [
      id, device,
      Option("everywhere", key: "everywhere", .flag, "on all devices; needs role publisher"),
    ]
  ) { arguments throws(Failure) in
    _ = try arguments.required("id")
    _ = try arguments.exactlyOne(of: ["device", "everywhere"])
    let client = try Server.client(arguments)
    let line = try client.ask("dismiss", arguments.keys()).line
    guard !arguments.has("json") else { return Output.json(line) }
    Output.line(Description.sentence(line, now: try client.welcome().now))
  }
}
