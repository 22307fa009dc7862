import ActivityCore
import TestSupport

/// A publisher's request, to be sent once or several times.
struct Write {
  var operation: String
  /// Of the request but for `op` and `ref`; begins with a comma.
  var members: String
  var isQuiet: Bool
  var key: String?
  var ignored: [String]
}

extension Simulation {
  /// A publisher sends something new, or something again.
  func publish() throws {
    let publisher = random.pick(publishers)
    if publisher.client == nil { try connect(publisher) }
    let isBurst = random.chance(oneIn: 60)
    for _ in 0..<(isBurst ? 40 : random.pick([1, 1, 1, 4])) {
      if random.chance(oneIn: 5), !publisher.recent.isEmpty {
        try send(random.pick(publisher.recent), from: publisher)
      } else {
        let write = try compose(scope: publisher.scope)
        try send(write, from: publisher)
        guard write.key != nil else { continue }
        publisher.recent.append(write)
        if publisher.recent.count > 12 { publisher.recent.removeFirst() }
      }
    }
  }

  private func send(_ write: Write, from publisher: Publisher) throws {
    try ask(
      publisher.client, write.operation, write.members, isQuiet: write.isQuiet, key: write.key,
      ignored: write.ignored)
  }

  private func compose(scope: String) throws -> Write {
    let id = random.pick(Self.ids)
    var write = Write(operation: "", members: #","id":"\#(id)""#, isQuiet: false, ignored: [])
    write.operation = random.pick(
      ["start", "start", "update", "update", "update", "update", "end", "push", "cancel"])
    switch write.operation {
    case "start": write.members += try start(id)
    case "update": write.members += try update(id)
    case "end": write.members += try end(id)
    case "push": try push(id, &write)
    default:
      if random.chance(oneIn: 2) {
        write.operation = "dismiss"
        write.members += #","everywhere":true"#
      }
    }
    if write.operation != "push", write.operation != "dismiss" { write.members += timestamp() }
    write.isQuiet = random.chance(oneIn: 6)
    if write.isQuiet { write.members += #","reply":"errors""# }
    if random.chance(oneIn: 2) {
      let key = "\(scope)/k\(composer.number())"
      write.key = key
      write.members += #","idempotency-key":"\#(key)""#
    }
    return write
  }

  private func content(_ key: String, _ id: String) throws -> String {
    let text = composer.content(&random)
    try observe(.offered(Array(text.compact.utf8), id: id))
    return #","\#(key)":\#(text.spaced)"#
  }

  private func start(_ id: String) throws -> String {
    var members = #","attributes-type":"\#(random.pick(["T", "U"]))""#
    members += try content("content-state", id)
    if random.chance(oneIn: 3) { members += try content("attributes", id) }
    members += random.pick([
      "", #","channels":["x"]"#, #","channels":["y","x"]"#, #","channels":["x:1"]"#,
    ])
    members += random.pick(["", "", #","if-exists":"replace""#, #","if-exists":"update""#])
    members += random.pick(["", "", #","lifetime":3600"#, #","lifetime":2"#])
    members += random.pick(["", "", "", "", #","start-after":2"#, #","start-after":600"#])
    return members + changeable()
  }

  private func update(_ id: String) throws -> String {
    var members = random.chance(oneIn: 5) ? "" : try content("content-state", id)
    if random.chance(oneIn: 20) { members += #","start-after":5"# }
    if random.chance(oneIn: 10) { members += #","if-version":\#(1 + random.below(6))"# }
    members += random.pick(["", "", "", "", #","url":"https://example.org/a""#, #","url":null"#])
    return members + changeable()
  }

  /// What a start and an update may both say.
  private func changeable() -> String {
    random.pick(["", "", #","priority":5"#])
      + random.pick(["", "", #","relevance-score":\#(random.pick(["-1", "0", "1", "1.5"]))"#])
      + random.pick(["", "", "", #","alert":{"title":"t","body":"b"}"#])
      + random.pick([
        #","stale-after":0"#, #","stale-after":3"#, #","stale-after":600"#, "", "",
        #","stale-after":60,"source":"p","source-priority":2"#, #","source":"q""#,
      ]) + sensitive()
  }

  /// Which parts aren't shown in public.
  private func sensitive() -> String {
    guard random.chance(oneIn: 3) else { return "" }
    let paths = (0..<random.pick([0, 1, 1, 2, 4])).map { _ in
      let root = random.pick(["content-state", "content-state", "attributes"])
      let below = random.chance(oneIn: 3) ? "" : "/" + random.pick(Secret.all).path
      return "\"\(root)\(below)\""
    }
    return #","sensitive":[\#(paths.joined(separator: ","))]"#
  }

  private func end(_ id: String) throws -> String {
    (random.chance(oneIn: 2) ? "" : try content("content-state", id))
      + random.pick([
        "", #","dismissal":"immediate""#, #","dismissal-after":2"#, #","dismissal-after":20000"#,
      ])
  }

  /// The sender's clock, which may be wrong.
  private func timestamp() -> String {
    guard random.chance(oneIn: 3) else { return "" }
    let lie = random.pick([0, 0, 0, -1, 1, -30, 30, 59, 61, -3_600, 3_600])
    let now = clock.now().microseconds / 1_000_000
    return #","timestamp":\#(now + Int64(lie))\#(random.pick(["", ".5"]))"#
  }

  private func push(_ id: String, _ write: inout Write) throws {
    let now = clock.now().microseconds / 1_000_000
    var aps = #""timestamp":\#(now),"event":"update""# + (try content("content-state", id))
    if random.chance(oneIn: 2) {
      aps += #","dismissal-date":\#(now + 60)"#
      write.ignored.append("dismissal-date")
    }
    if random.chance(oneIn: 2) {
      write.members += #","apns-topic":"t""#
      write.ignored.append("apns-topic")
    }
    write.members += #","aps":{\#(aps)}"# + sensitive()
  }
}
