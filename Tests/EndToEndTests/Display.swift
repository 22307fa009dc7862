import TestSupport

/// What a device shows, kept by the rules of the protocol.
struct Display {
  struct Card: Equatable {
    var generation: Int
    var version: Int
    var state: String
    var content: String
    var attributes: String
  }

  private(set) var cards: [String: Card] = [:]
  /// The newest it was given.
  private(set) var cursor: String?
  private(set) var highestSeq = 0
  private(set) var resets = 0

  /// Subscribes to everything, from the cursor on if it has one, and takes what comes up to
  /// `synced`.
  mutating func subscribe(_ client: LineClient) throws {
    let since = cursor.map { #","since":"\#($0)""# } ?? ""
    _ = try client.order(#"{"op":"subscribe","all":true\#(since)}"#)
    var line = try client.next()
    while line.event != "synced" {
      try take(line)
      line = try client.next()
    }
    try take(line)
  }

  mutating func take(_ line: JSONLine) throws {
    if let cursor = line["cursor"]?.string { self.cursor = cursor }
    switch line.event {
    case "start", "update", "stale", "end": try show(line)
    case "dismiss": try remove(line)
    case "reset":
      cards = [:]
      resets += 1
    case "synced", "ping", "bye": break
    default: throw TestFailure("what is \(line)?")
    }
  }

  private mutating func show(_ line: JSONLine) throws {
    guard let id = line["id"]?.string, let generation = line["generation"]?.integer,
      let version = line.version, let state = line.state, let seq = line["seq"]?.integer,
      let content = line["content-state"]?.raw
    else { throw TestFailure("incomplete: \(line)") }
    let old = cards[id]
    if let old, (generation, version) < (old.generation, old.version) {
      throw TestFailure("\(id) went back from \(old) to \(line)")
    }
    guard let attributes = line["attributes"]?.raw ?? old?.attributes,
      line.event == "start" || old?.generation == generation
    else { throw TestFailure("an update of what isn't shown: \(line)") }
    highestSeq = max(highestSeq, seq)
    cards[id] = Card(
      generation: generation, version: version, state: state, content: content,
      attributes: attributes)
  }

  private mutating func remove(_ line: JSONLine) throws {
    guard let id = line["id"]?.string, let generation = line["generation"]?.integer else {
      throw TestFailure("incomplete: \(line)")
    }
    if let card = cards[id], card.generation <= generation { cards[id] = nil }
  }
}
