import ActivityCore
import ActivityWire

/// What a device shows: a receiver that does what PROTOCOL.md asks of one, and no more.
struct Board {
  struct Card: Equatable {
    var generation: Generation
    var version: Version
    var state: String
    var contentState: [UInt8]
  }

  /// What a device could have stored, and come back with.
  struct Memory {
    var cursor: Cursor
    var interest: Interest
    var rights: Rights
    var shown: [String: Card]
    /// What is shown since has been taken away for this session only: the cursor doesn't go with it.
    var isVoid = false
  }

  private(set) var shown: [String: Card] = [:]
  private(set) var memories: [Memory] = []
  private(set) var interest = Interest()
  private(set) var rights = Rights()
  /// Over this connection, which may have been refused.
  private(set) var hasSubscribed = false
  private(set) var isEnabled = true
  /// What a device without a name has dismissed, which is forgotten with its session.
  private(set) var dismissed: Set<Generation> = []
  /// Nil while no state is on its way, else what it named so far.
  private var collected: Set<String>?
  private var replaces = false

  init() {}

  var isCollecting: Bool { collected != nil }

  /// Whether an activity is in its view.
  func sees(_ activity: Activity) -> Bool { interest.holds(activity) && rights.reads(activity) }

  /// Begins a connection, showing what it showed or what it had stored.
  mutating func connect(restoring memory: Memory?) {
    if let memory {
      shown = memory.shown
      voidMemories {
        $0.cursor.seq > memory.cursor.seq || $0.interest != memory.interest
          || $0.rights != memory.rights
      }
    }
    interest = Interest()
    rights = Rights()
    hasSubscribed = false
    isEnabled = true
    collected = nil
    dismissed = []
  }

  /// Takes over a line; `request` is what it answers.
  mutating func hear(_ line: Line, answering request: Request?) {
    switch line.kind {
    case .done: if let request { hear(line, done: request.effect) }
    case .refused, .item: break
    case .event("reset"):
      shown = [:]
      collected = []
      replaces = true
    case .event("synced"):
      if replaces, let collected { shown = shown.filter { collected.contains($0.key) } }
      collected = nil
      replaces = false
    case .event: if line.isActivityEvent { apply(line) }
    }
    if let cursor = line.cursor, !isCollecting, isEnabled {
      memories.append(Memory(cursor: cursor, interest: interest, rights: rights, shown: shown))
      if memories.count > 24 { memories.removeFirst(8) }
    }
  }

  private mutating func hear(_ line: Line, done effect: Request.Effect) {
    switch effect {
    case .none, .addToken, .revokeToken: break
    case .subscribe(let more, let since):
      replaces = interest.isEmpty && since == nil
      collected = []
      hasSubscribed = true
      interest.add(more)
      voidMemories { [interest, rights] in $0.interest != interest || $0.rights != rights }
    case .unsubscribe(let less):
      interest.remove(less)
      voidMemories()
    case .dismiss:
      guard let subject = line.subject else { return }
      remove(subject.id, upTo: subject.generation)
      dismissed.insert(subject.generation)
      voidMemories()
    case .hello(let hello):
      let surface = rights.surface
      rights.take(hello)
      if let enabled = hello.enabled { isEnabled = enabled }
      if hello.enabled != nil || rights.surface != surface { voidMemories() }
    }
  }

  private mutating func voidMemories(where isConcerned: (Memory) -> Bool = { _ in true }) {
    for index in memories.indices where isConcerned(memories[index]) {
      memories[index].isVoid = true
    }
  }

  private mutating func apply(_ line: Line) {
    guard let subject = line.subject, let version = subject.version else { return }
    guard line.event != "dismiss" else { return remove(subject.id, upTo: subject.generation) }
    collected?.insert(subject.id)
    if let card = shown[subject.id] {
      // Of the same version what came last: it may be shown on another surface now.
      guard (subject.generation, version) >= (card.generation, card.version) else { return }
    }
    shown[subject.id] = Card(
      generation: subject.generation, version: version, state: subject.state ?? "",
      contentState: subject.contentState ?? [])
  }

  private mutating func remove(_ id: String, upTo generation: Generation) {
    guard let card = shown[id], card.generation <= generation else { return }
    shown[id] = nil
  }
}
