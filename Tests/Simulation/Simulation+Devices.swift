import ActivityCore
import ActivityWire
import TestSupport

extension Simulation {
  static let ids = ["a", "b", "c", "d", "e", "f"]

  func interest() -> Interest {
    var interest = Interest()
    switch random.below(5) {
    case 0, 1: interest.all = true
    case 2: interest.channels = random.pick([["x"], ["x", "x:1"]])
    case 3: interest.types = [random.pick(["T", "U"])]
    default:
      interest.channels = ["y"]
      interest.ids = [random.pick(["a", "b"]), "c"]
    }
    return interest
  }

  func pace() -> String {
    random.pick(["", "", "", #","updates-per-hour":1200"#, #","interval":5"#, #","interval":0"#])
  }

  /// A device, or a publisher, asks for something that isn't a write of a publisher's.
  func askSomething() throws {
    let device = random.below(deviceNames.count)
    guard let client = deviceClients[device] else { return }
    let id = random.pick(Self.ids)
    switch random.below(16) {
    case 0: try ask(client, "ping", "")
    case 1, 2: try dismiss(id, from: client)
    case 3: try change(client, enabled: random.chance(oneIn: 2))
    case 4: try ask(client, "hello", pace())
    case 5:
      let more = interest()
      try ask(client, "subscribe", more.members, effect: .subscribe(more, since: nil))
    case 6: try unsubscribe(client)
    case 7, 8: try list(client)
    case 9: try ask(client, "get", #","id":"\#(id)","delivery":true"#)
    case 10: try act(on: id, from: client)
    case 11: try sendNonsense(client)
    case 12: try ask(client, random.pick(["help", "stats", "start"]), "")
    case 13: try change(client, surface: random.pick([.public, .private]))
    case 14:
      let surface = random.pick([.public, .private]) as Surface
      try change(client, surface: surface, enabled: random.pick([nil, false, true]))
    default: if random.chance(oneIn: 3) { try ask(client, "quit", "") }
    }
  }

  private func change(
    _ client: Client, surface: Surface? = nil, enabled: Bool? = nil
  ) throws {
    var hello = Introduction()
    hello.surface = surface
    hello.enabled = enabled
    try ask(client, "hello", hello.members, effect: .hello(hello))
  }

  private func dismiss(_ id: String, from client: Client) throws {
    if random.chance(oneIn: 4) {
      return try ask(client, "dismiss", #","id":"\#(id)","everywhere":true"#)
    }
    let key = random.chance(oneIn: 3) ? "k\(composer.number())" : nil
    let member = key.map { #","idempotency-key":"\#($0)""# } ?? ""
    // A device without a name has none to keep a key under.
    let kept = client.party.name == nil ? nil : key
    for _ in 0..<(kept == nil ? 1 : random.pick([1, 2])) {
      try ask(client, "dismiss", #","id":"\#(id)"\#(member)"#, effect: .dismiss, key: kept)
    }
  }

  private func unsubscribe(_ client: Client) throws {
    var less = Interest()
    less.all = random.chance(oneIn: 3)
    less.channels = random.pick([[], ["x"], ["x", "y"]])
    less.types = random.pick([[], ["T", "U"]])
    less.ids = random.pick([["c"], ["a", "b", "c"]])
    try ask(client, "unsubscribe", less.members, effect: .unsubscribe(less))
  }

  private func list(_ client: Client) throws {
    let filter = random.pick([
      "", "", #","limit":2"#, #","types":["T"]"#, #","channels":["x"]"#,
      #","states":["active","dismissed"]"#, #","after":"b""#,
    ])
    try ask(client, "list", filter)
  }

  private func act(on id: String, from client: Client) throws {
    let payload = composer.content(&random)
    try observe(.offered(Array(payload.compact.utf8), id: id))
    let members =
      #","id":"\#(id)","action-id":"p\#(composer.number())","name":"press","payload":"#
      + payload.spaced
    try ask(client, "action", members)
  }

  private func sendNonsense(_ client: Client) throws {
    let ref = "r\(composer.number())"
    let request = random.pick([
      Request(text: "nonsense", ref: nil, operation: ""),
      Request(text: #"{"op":"get","id":"#, ref: nil, operation: ""),
      Request(text: "[1]", ref: nil, operation: ""),
      Request(text: #"{"op":"get","idd":"a","ref":"\#(ref)"}"#, ref: ref, operation: "get"),
      Request(text: #"{"op":"gett","ref":"\#(ref)"}"#, ref: ref, operation: "gett"),
    ])
    guard !client.hasEndedOutput, !client.asksNoMore else { return }
    try send(request, over: client)
  }
}

extension Interest {
  /// As members of a request.
  var members: String {
    var text = all ? #","all":true"# : ""
    for (key, names) in [("channels", channels), ("ids", ids), ("types", types)]
    where !names.isEmpty {
      let list = names.sorted().map { "\"\($0)\"" }.joined(separator: ",")
      text += #","\#(key)":[\#(list)]"#
    }
    return text
  }
}
