internal import ActivityClient

/// Commands that do what a person at a device does.
enum DeviceCommands {
  static let action = Command(
    name: "action", summary: "press a button of an activity: its publishers are told",
    operand: Operand(name: "NAME"),
    options: [
      .id,
      Option("payload-json", key: "payload", .json, "what goes with it"),
      Option(
        "action-id", key: "action-id", .text("ID"),
        "a name for this press, by which a repetition is known; made up if not said"),
      .ifVersion, .device,
    ]
  ) { arguments throws(Failure) in
    _ = try arguments.required("id")
    var keys = try arguments.keys()
    keys["name"] = arguments.operand.map(JSONValue.string)
    if keys["action-id"] == nil {
      keys["action-id"] = .string(FreshName.make())
    }
    let line = try Server.client(arguments).ask("action", keys).line
    guard !arguments.has("json") else { return Output.json(line) }
    Output.line(Description.action(line))
  }

  static let dismiss = Command(
    name: "dismiss", summary: "swipe an activity away, on one device or everywhere",
    details: """
      Either --device, for the one device that has this name, or --everywhere. activityctl watch \
      dismisses what is selected with the key d.
      """,
    options: [
      .id, .device,
      Option(
        "everywhere", key: "everywhere", .flag,
        "on all devices; needs role publisher, or a token that allows it"),
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
