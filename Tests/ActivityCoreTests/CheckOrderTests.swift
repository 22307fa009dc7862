import ActivityCore
import Testing

/// Requests with several faults: the one that PROTOCOL.md names first is reported.
@Suite("The order of checks")
struct CheckOrderTests {
  /// Faults of an update, in the order in which they are checked. Each can be added to any other.
  enum Fault: Int, CaseIterable, Comparable, CustomTestStringConvertible {
    case form, ended, ifVersion, timestamp, sourcePriority, limit, payload

    static func < (left: Fault, right: Fault) -> Bool { left.rawValue < right.rawValue }

    var code: ErrorCode {
      switch self {
      case .form: .missingKey
      case .ended: .ended
      case .ifVersion: .versionConflict
      case .timestamp: .outOfOrder
      case .sourcePriority: .outranked
      case .limit: .limitReached
      case .payload: .payloadTooLarge
      }
    }

    var testDescription: String { code.rawValue }
  }

  static let updates = Fault.allCases.flatMap { first in
    Fault.allCases.filter { $0 >= first }.map { [first, $0] }
  }

  @Test("of two faults of an update the earlier is reported", arguments: updates)
  func update(faults: [Fault]) {
    let desk = Desk { if faults.contains(.limit) { $0.outcomesMax = 0 } }
    desk.start { start in
      start.source = Source(name: "holder", priority: 9)
      start.stale = .at(at(300))
    }
    // Ended ones hold no lease and have no stale-date; ended comes before both anyway.
    if faults.contains(.ended) { desk.end() }

    var update = Update()
    update.contentState = json("1")
    update.source = Source(name: "holder", priority: 9)
    update.stale = .at(at(400))
    if faults.contains(.ifVersion) { update.ifVersion = 77 }
    if faults.contains(.timestamp) { update.timestamp = stamp(-5) }
    if faults.contains(.sourcePriority) { update.source = Source(name: "other", priority: 1) }
    if faults.contains(.payload) {
      update.contentState = json(String(repeating: "1", count: 5_000))
    }
    if faults.contains(.form) { update.stale = nil }
    let verdict = desk.decide(.update(update), id: "ride", keepsOutcome: true)
    #expect(verdict.code == faults.min()?.code)
    #expect(verdict.mutations.isEmpty)
  }

  @Test("the form of an update comes before an unknown id")
  func formBeforeUnknown() {
    let desk = Desk()
    let missing = desk.update { $0.source = Source(name: "a", priority: 1) }
    #expect(missing.code == .missingKey)
    #expect(desk.update { $0.start = .at(at(-100)) }.code == .dateInPast)
    #expect(desk.update { $0.ifVersion = 5 }.code == .unknownActivity)
  }

  /// A start that would replace a live one, with the faults it can have.
  static let starts: [[Fault]] = [
    [.form], [.timestamp], [.sourcePriority], [.limit], [.payload],
    [.form, .timestamp], [.form, .payload], [.timestamp, .sourcePriority],
    [.timestamp, .limit], [.timestamp, .payload], [.sourcePriority, .limit],
    [.sourcePriority, .payload], [.limit, .payload],
  ]

  @Test("of two faults of a replacing start the earlier is reported", arguments: starts)
  func start(faults: [Fault]) {
    let desk = Desk { if faults.contains(.limit) { $0.outcomesMax = 0 } }
    desk.start { start in
      start.source = Source(name: "holder", priority: 9)
      start.stale = .at(at(300))
    }
    var start = Start(attributesType: "Ride", contentState: json("1"))
    start.ifExists = .replace
    start.source = Source(name: "holder", priority: 9)
    start.stale = .at(at(400))
    if faults.contains(.timestamp) { start.timestamp = stamp(-5) }
    if faults.contains(.sourcePriority) { start.source = Source(name: "other", priority: 1) }
    if faults.contains(.payload) {
      start.contentState = json(String(repeating: "1", count: 5_000))
    }
    if faults.contains(.form) { start.stale = nil }
    let verdict = desk.decide(.start(start), id: "ride", keepsOutcome: true)
    #expect(verdict.code == faults.min()?.code)
    #expect(desk["ride"]?.version == 1)
  }

  @Test("already-exists comes before the timestamp and the size")
  func alreadyExistsFirst() {
    let desk = Desk()
    desk.start()
    let verdict = desk.start("ride", String(repeating: "1", count: 5_000)) {
      $0.timestamp = stamp(-5)
    }
    #expect(verdict.code == .alreadyExists)
  }

  /// The state the activity is in, and what an end with one fault after another comes to.
  @Test("an end is checked in the same order, noops last")
  func end() {
    let desk = Desk()
    let long = String(repeating: "1", count: 5_000)
    func both(_ content: String?) -> Decided {
      desk.end("ride", content) { end in
        end.ifVersion = 77
        end.timestamp = stamp(-5)
      }
    }
    func old(_ content: String?) -> Decided {
      desk.end("ride", content) { $0.timestamp = stamp(-5) }
    }
    desk.start()
    #expect(both(long).code == .versionConflict)
    #expect(old(long).code == .outOfOrder)
    #expect(desk.end("ride", long).code == .payloadTooLarge)
    desk.end()
    #expect(both("other").code == .ended)
    #expect(both(nil).code == .versionConflict)
    #expect(old(nil).code == .outOfOrder)
    #expect(desk.end().outcome == .noop)
    desk.cancel()
    #expect(both(nil).code == .versionConflict)
    #expect(old(nil).code == .outOfOrder)
    #expect(desk.end().outcome == .noop)
  }

  @Test("a timestamp in the future is refused before an older source-priority is")
  func futureBeforeRank() {
    let desk = Desk()
    desk.start { start in
      start.source = Source(name: "holder", priority: 9)
      start.stale = .at(at(300))
    }
    #expect(desk.update { $0.timestamp = stamp(100) }.code == .timestampInFuture)
    #expect(desk.update { $0.timestamp = stamp(50) }.code == .outranked)
  }
}
