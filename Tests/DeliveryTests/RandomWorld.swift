import ActivityCore
import ActivityStore
import ActivityWire
import TestSupport

@testable import ActivityDaemon

/// Publishers, devices, sockets, store and clock that do things in any order, and what each device
/// must then show.
final class RandomWorld {
  private var random: SeededGenerator
  private let scene: Scene
  private var history = NaiveHistory()
  private let publisher: SceneClient
  private var devices: [(device: NaiveDevice, client: SceneClient?)]
  private var lastNumber = 0
  private var failure: String?

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    var limits = Limits()
    limits.lowPriorityWindow = .seconds(random.pick([0, 1, 1, 3]))
    scene = Scene(limits)
    publisher = scene.connect(.publisher)
    devices = ["anna", "ben", "carla", nil, nil].map { (NaiveDevice(name: $0), nil) }
    scene.onLanding = { [unowned self] in self.history.landed($0, after: $1) }
  }

  /// Does one thing.
  func step() throws {
    scene.commitsAtOnce = !random.chance(oneIn: 4)
    switch random.below(100) {
    case 0..<45: publish()
    case 45..<60: try readSome()
    case 60..<68: block()
    case 68..<76: connectOrBreak()
    case 76..<88: ask()
    case 88..<92: failOrEndCommit()
    case 92..<98: passTime()
    default: try settle()
    }
    if !random.chance(oneIn: 3) { scene.turn() }
    try listen()
  }

  /// Connects everybody, lets everything arrive, and compares.
  func settle() throws {
    scene.store.fault = .none
    scene.commitsAtOnce = true
    scene.turn()
    scene.pass(seconds: 2)
    for index in devices.indices {
      devices[index].client?.socket.bytesUntilFailure = nil
      if devices[index].client?.isLost ?? true { connect(index) }
      devices[index].client?.send(#"{"op":"hello","updates-per-hour":1000000,"interval":0}"#)
      devices[index].client?.unblock()
    }
    scene.pass(seconds: 5)
    try listen()
    for (device, client) in devices {
      try compare(device)
      let remainder = client?.session.remainder
      guard remainder?.isEmpty ?? true else { throw TestFailure("something waits for nothing") }
    }
  }

  private var number: Int {
    lastNumber += 1
    return lastNumber
  }
}

// MARK: - What happens

extension RandomWorld {
  private func publish() {
    for _ in 0..<random.pick([1, 1, 1, 5]) {
      var line =
        #"{"op":"\#(random.pick(["start", "update", "update", "update", "end", "cancel"]))""#
      line += #","id":"\#(random.pick(["a", "b", "c", "d", "e", "f"]))""#
      if line.contains("start") {
        line += #","attributes-type":"\#(random.pick(["T", "U"]))""#
        line += random.pick(["", #","channels":["x"]"#, #","channels":["y","x"]"#])
        line += random.pick(["", "", #","if-exists":"replace""#, #","if-exists":"update""#])
        line += random.pick(["", #","lifetime":3600"#])
      }
      if !line.contains("cancel") {
        if !line.contains("update") || !random.chance(oneIn: 5) {
          let filler = String(repeating: "·", count: random.pick([0, 0, 0, 500]))
          line += #","content-state":{"n":\#(number),"filler":"\#(filler)"}"#
        }
        line += random.pick(["", "", "", #","alert":{"title":"t","body":"b"}"#])
      }
      if line.contains("start") || line.contains("update") {
        line += random.pick(["", "", #","priority":5"#, #","priority":5"#])
        line += random.pick(["", "", #","stale-after":0"#, #","stale-after":20"#])
        line += random.pick(["", "", "", "", #","start-after":2"#])
      }
      if line.contains(#""end""#) {
        line += random.pick(["", #","dismissal":"immediate""#, #","dismissal-after":30"#])
      }
      publisher.send(line + "}")
    }
  }

  private func block() {
    guard let client = random.pick(devices).client, !client.isLost else { return }
    switch random.below(6) {
    case 0: client.unblock()
    case 1: client.socket.bytesUntilFailure = random.below(2_000)
    default: client.block(capacity: random.pick([0, 1, 100, 1_000, 20_000]))
    }
  }

  private func readSome() throws {
    guard let client = random.pick(devices).client, !client.isLost else { return }
    client.read(upTo: random.pick([1, 10, 500, 5_000, .max]))
  }

  private func failOrEndCommit() {
    switch random.below(4) {
    case 0: scene.store.fault = .nextCommit
    case 1: scene.store.fault = .nextCommitAfterLanding
    case 2: scene.store.fault = .none
    default: scene.endCommit()
    }
  }

  private func passTime() {
    switch random.below(8) {
    case 0: scene.sleep(seconds: Int64(random.pick([3_600, 5 * 3_600])))
    case 1: scene.pass(seconds: 70)
    case 2: scene.clock.step(seconds: Int64(random.pick([-10, 10])))
    case 3: scene.hub.clockWasSet()
    default: scene.pass(milliseconds: Int64(random.pick([1, 300, 1_000, 3_000])))
    }
  }
}

// MARK: - What devices do

extension RandomWorld {
  private func connectOrBreak() {
    let index = random.below(devices.count)
    if let client = devices[index].client, !client.isLost, random.chance(oneIn: 2) {
      client.reset()
      devices[index].client = nil
    } else if devices[index].client?.isLost ?? true || random.chance(oneIn: 4) {
      connect(index)
    }
  }

  /// Connects a device, whether or not its last connection is still there.
  private func connect(_ index: Int) {
    if devices[index].device.name == nil {
      devices[index].client?.reset()
      devices[index].device.becomeAnother()
    }
    devices[index].device.connected()
    let client = scene.connect()
    devices[index].client = client
    if let name = devices[index].device.name {
      client.send(#"{"op":"hello","device":"\#(name)"\#(pace)}"#)
    } else if !pace.isEmpty {
      client.send(#"{"op":"hello"\#(pace)}"#)
    }
    var since =
      devices[index].device.cursors.isEmpty ? nil : random.pick(devices[index].device.cursors)
    if random.chance(oneIn: 4) { since = devices[index].device.cursors.last }
    if random.chance(oneIn: 8) { since = "other:1:0123456789abcdef" }
    if random.chance(oneIn: 5) { since = nil }
    subscribe(index, since: since)
  }

  private var pace: String {
    random.pick(["", "", #","updates-per-hour":60"#, #","interval":5"#])
  }

  private func subscribe(_ index: Int, since: String?) {
    var interest = Interest()
    switch random.below(5) {
    case 0: interest.all = true
    case 1: interest.channels = ["x"]
    case 2: interest.types = [random.pick(["T", "U"])]
    case 3: interest.ids = [random.pick(["a", "b"]), "c"]
    default: interest.channels = ["x", "y"]
    }
    let ref = "s\(number)"
    var line = #"{"op":"subscribe","ref":"\#(ref)"\#(interest.members)"#
    if let since { line += #","since":"\#(since)""# }
    let seq = since.flatMap { Cursor($0)?.seq }
    ask(index, line, .subscribe(interest, since: seq), ref)
  }

  private func ask(_ index: Int, _ line: String, _ what: NaiveDevice.Asked, _ ref: String) {
    devices[index].device.asks(what, ref: ref, newest: scene.hub.visibleSeq)
    devices[index].client?.send(line + "}")
  }

  private func ask() {
    let index = random.below(devices.count)
    guard let client = devices[index].client, !client.isLost,
      client.session.device?.session
        === client.session || devices[index].device.name == nil
    else { return }
    let ref = "r\(number)"
    switch random.below(6) {
    case 0: client.send(#"{"op":"ping"}"#)
    case 1:
      let id = random.pick(["a", "b", "c", "d", "e", "f"])
      ask(index, #"{"op":"dismiss","id":"\#(id)","ref":"\#(ref)""#, .dismiss, ref)
    case 2:
      let isEnabled = random.chance(oneIn: 2)
      ask(
        index, #"{"op":"hello","activities-enabled":\#(isEnabled),"ref":"\#(ref)""#,
        .enable(isEnabled), ref)
    case 3: client.send(#"{"op":"hello"\#(pace)}"#)
    case 4: subscribe(index, since: nil)
    default:
      var interest = Interest()
      interest.all = random.chance(oneIn: 2)
      interest.channels = random.pick([[], ["x"], ["x", "y"]])
      interest.types = random.pick([[], ["T", "U"]])
      interest.ids = random.pick([["c"], ["a", "b", "c"]])
      let line = #"{"op":"unsubscribe","ref":"\#(ref)"\#(interest.members)"#
      ask(index, line, .unsubscribe(interest), ref)
    }
  }
}

// MARK: - What devices are told

extension RandomWorld {
  private func listen() throws {
    _ = publisher.takeLines()
    for index in devices.indices {
      guard let client = devices[index].client else { continue }
      for line in client.takeLines() {
        let wrong = devices[index].device.hears(
          try JSONLine(line), history, newest: scene.hub.visibleSeq)
        if let wrong {
          let name = devices[index].device.name ?? "nameless"
          throw TestFailure("\(name) was told wrongly: \(wrong): \(line.prefix(400))")
        }
      }
      let waiting = client.session.remainder?.dirtyCount ?? 0
      guard waiting <= history.changes.count else { throw TestFailure("\(waiting) wait") }
    }
  }

  /// Whether a device shows exactly what it must.
  private func compare(_ device: NaiveDevice) throws {
    var expected: [Generation: NaiveDevice.Shown] = [:]
    for activity in scene.stored
    where device.isEnabled && activity.state.isShown && device.interest.holds(activity)
      && !device.dismissed.contains(activity.generation)
      && !history.hasDismissed(activity.generation, device.name)
    {
      expected[activity.generation] = NaiveDevice.Shown(
        version: activity.version, state: activity.state.rawValue,
        content: String(decoding: activity.contentState.bytes, as: UTF8.self))
      if let alert = activity.alert, alert.seq > device.changedBefore,
        !device.heard.contains([activity.generation, alert.version])
      {
        throw TestFailure("\(device.name ?? "nameless") never heard an alert of \(activity.id)")
      }
    }
    guard device.shown == expected else {
      throw TestFailure(
        "\(device.name ?? "nameless") shows \(device.shown)\ninstead of \(expected)")
    }
  }
}

extension Interest {
  /// As members of a request.
  fileprivate var members: String {
    var text = all ? #","all":true"# : ""
    for (key, names) in [("channels", channels), ("ids", ids), ("types", types)]
    where !names.isEmpty {
      text += #","\#(key)":[\#(names.sorted().map { "\"\($0)\"" }.joined(separator: ","))]"#
    }
    return text
  }
}
