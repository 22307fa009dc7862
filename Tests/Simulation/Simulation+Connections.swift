import ActivityCore
import ActivityDaemon
import ActivityWire
import TestSupport

/// A backend.
final class Publisher {
  /// Whose idempotency keys it uses.
  let scope: String
  /// It may publish by a token only.
  let needsToken: Bool
  var client: Client?
  /// What it may send again.
  var recent: [Write] = []

  init(scope: String, needsToken: Bool = false) {
    self.scope = scope
    self.needsToken = needsToken
  }
}

// MARK: - Coming and going

extension Simulation {
  func connect(
    _ role: Role, device: Int? = nil, name: String? = nil, scope: String, needsToken: Bool = false
  ) -> Client {
    lastClientNumber += 1
    let party = Party(
      number: lastClientNumber, role: role, device: device, name: name, needsToken: needsToken)
    let socket = SimulatedSocket()
    let peer = Peer(role: role, scope: scope, description: nil, needsToken: needsToken)
    let session = hub.connect(socket, peer: peer)
    let client = Client(party, socket: socket, session: session)
    socket.onBytes = { [unowned self, unowned client] bytes in
      client.take(bytes, durable: self.durableSeq)
    }
    socket.onBuffered = { [unowned client] in client.noteBuffered($0) }
    clients.append(client)
    return client
  }

  func connect(_ publisher: Publisher) throws {
    guard !publisher.needsToken else { return try connectByToken(publisher) }
    let role: Role = publisher === publishers[0] ? .admin : .publisher
    let client = connect(role, scope: publisher.scope)
    publisher.client = client
    try observe(.connected(client.party))
    if random.chance(oneIn: 2) { try ask(client, "subscribe", #","feedback":true"#) }
  }

  private func connectByToken(_ publisher: Publisher) throws {
    var hello = Introduction()
    hello.token = pickToken { $0.role == .publisher }
    guard hello.token != nil else { return }
    let client = connect(.device, scope: publisher.scope, needsToken: random.chance(oneIn: 2))
    publisher.client = client
    // Its keys are the token's.
    publisher.recent = []
    try observe(.connected(client.party))
    try ask(client, "hello", hello.members, effect: .hello(hello))
    try ask(
      client, "subscribe", random.pick([#","feedback":true"#, #","all":true,"feedback":true"#]))
  }

  /// Connects a device, which may have stored any cursor it was ever given.
  func connect(_ device: Int) throws {
    if let client = deviceClients[device] { try leave(client) }
    if deviceNames[device] == nil, !(model.boards[device]?.dismissed.isEmpty ?? true) {
      model.replace(device)
    }
    let memories = model.boards[device]?.memories ?? []
    var memory = memories.isEmpty ? nil : random.pick(memories + [memories[memories.count - 1]])
    let restores = random.chance(oneIn: 2) || memory?.isVoid ?? false
    if random.chance(oneIn: 5) { memory = nil }
    guard let hello = introduction(of: device, as: memory?.rights) else { return }
    model.connect(device, restoring: restores ? memory : nil)
    let client = connect(
      .device, device: device, name: deviceNames[device], scope: "tcp",
      needsToken: hello.token == nil
        ? !isAtRest && random.chance(oneIn: 40) : random.chance(oneIn: 2))
    deviceClients[device] = client
    try observe(.connected(client.party))
    guard try !intrudes(client) else { return }
    let name = deviceNames[device].map { #","device":"\#($0)""# } ?? ""
    let isNamed = hello.token?.device == nil || random.chance(oneIn: 2)
    let members = (isNamed ? name : "") + pace() + hello.members
    if !members.isEmpty { try ask(client, "hello", members, effect: .hello(hello)) }
    let interest = memory.flatMap { random.chance(oneIn: 6) ? nil : $0.interest } ?? interest()
    try subscribe(client, to: interest, since: memory?.cursor)
  }

  /// Perhaps it shows a token that is for another device; then it asks for nothing else.
  private func intrudes(_ client: Client) throws -> Bool {
    guard !isAtRest, let name = client.party.name, random.chance(oneIn: 40) else { return false }
    var hello = Introduction()
    hello.token = pickToken { $0.device.map { $0 != name } ?? false }
    guard hello.token != nil else { return false }
    let members = #","device":"\#(name)""# + hello.members
    try ask(client, "hello", members, effect: .hello(hello))
    client.asksNoMore = true
    return true
  }

  func subscribe(_ client: Client, to interest: Interest, since: Cursor?) throws {
    var cursor = since
    if let since, random.chance(oneIn: 10) {
      cursor = Cursor(
        epoch: random.pick(["other", since.epoch]), seq: since.seq + random.pick([0, 1_000_000]),
        hash: since.hash)
    }
    var members = interest.members + (cursor.map { #","since":"\#($0.text)""# } ?? "")
    let follows = !random.chance(oneIn: 30)
    if !follows { members += #","follow":false"# }
    try ask(client, "subscribe", members, effect: .subscribe(interest, since: cursor))
    if !follows { client.asksNoMore = true }
  }

  /// A connection breaks; the daemon learns of it now, or when it writes, or never.
  func leave(_ client: Client) throws {
    if let device = client.party.device, deviceClients[device] === client {
      deviceClients[device] = nil
    }
    for publisher in publishers where publisher.client === client { publisher.client = nil }
    guard !client.isAbandoned else { return }
    client.isAbandoned = true
    try observe(.closed(client.party, isAgreed: false))
    switch client.party.device == nil ? 0 : random.below(3) {
    case 0:
      client.socket.isBroken = true
      hub.readFailed(client.session)
    case 1: client.socket.isBroken = true
    default: client.socket.capacity = 0
    }
  }

  /// The daemon has closed a connection.
  func forget(_ client: Client) throws {
    hub.closed(client.session)
    clients.removeAll { $0 === client }
    guard !client.isAbandoned else { return }
    client.isAbandoned = true
    let isAgreed = ["quit", "followed", "half-closed"].contains(client.farewell)
    try observe(.closed(client.party, isAgreed: isAgreed))
    if let device = client.party.device, deviceClients[device] === client {
      deviceClients[device] = nil
    }
    for publisher in publishers where publisher.client === client { publisher.client = nil }
  }

  func comeOrGo() throws {
    guard !random.chance(oneIn: 4) else {
      let publisher = random.pick(publishers)
      guard let client = publisher.client else { return try connect(publisher) }
      if random.chance(oneIn: 2) { return try leave(client) }
      client.hasEndedOutput = true
      publisher.client = nil
      return
    }
    let device = random.below(deviceNames.count)
    if let client = deviceClients[device], random.chance(oneIn: 2) {
      try leave(client)
    } else {
      try connect(device)
    }
  }
}

// MARK: - Asking

extension Simulation {
  /// Sends a request; `members` begin with a comma.
  func ask(
    _ client: Client?, _ operation: String, _ members: String, effect: Request.Effect = .none,
    isQuiet: Bool = false, key: String? = nil, ignored: [String] = []
  ) throws {
    guard let client, !client.hasEndedOutput, !client.asksNoMore, !client.isAbandoned else {
      return
    }
    if operation == "quit" { client.asksNoMore = true }
    let ref = "r\(composer.number())"
    let text = #"{"op":"\#(operation)","ref":"\#(ref)"\#(members)}"#
    try send(
      Request(
        text: text, ref: ref, operation: operation, isQuiet: isQuiet, idempotencyKey: key,
        ignored: ignored, effect: effect), over: client)
  }

  func send(_ request: Request, over client: Client) throws {
    client.send(request.text)
    try observe(.asked(client.party, request))
  }
}
