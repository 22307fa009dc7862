import ActivityCore
import ActivityWire
import Glibc

@testable import ActivityStore

/// The input overwrites columns of a store, as damage or somebody's SQL would. What the store then
/// hands out, a daemon must be able to live with; if it can't, the store must refuse.
func fuzzRows(_ input: [UInt8]) {
  var choices = Choices(input)
  let store = unsafe sharedStore
  defer { attempt { () throws(SQLiteError) in try store.database.execute("ROLLBACK") } }
  attempt { () throws(SQLiteError) in try store.database.execute("BEGIN") }
  while !choices.isEmpty { damage(store.database, &choices) }

  var items: [StoredItem] = []
  do throws(StoreError) {
    try store.load { items.append($0) }
    let identity = try store.readAgain()
    live(identity, items)
  } catch {
    precondition(error.kind == .unusable, "\(error.message)")
  }
}

/// All that may happen to a daemon with these rows.
private func live(_ identity: StoreIdentity, _ items: [StoredItem]) {
  let daemon = MemoryDaemon(identity, items)
  // JSON is passed on as it was stored; `verify` looks at it.
  daemon.isTrusted = false
  let publisher = daemon.connect(.admin)
  daemon.pass(seconds: 1)
  daemon.order(#"{"op":"list"}"#, on: publisher)
  for id in ["a", "b", "c", "d"] {
    for request in [
      #"{"op":"get","id":"\#(id)"}"#, #"{"op":"update","id":"\#(id)","content-state":7}"#,
      #"{"op":"end","id":"\#(id)"}"#,
      #"{"op":"start","id":"\#(id)","attributes-type":"T","content-state":7}"#,
      #"{"op":"start","id":"k","attributes-type":"T","content-state":7,"idempotency-key":"k"}"#,
    ] { daemon.order(request, on: publisher) }
  }
  daemon.order(#"{"op":"subscribe","all":true,"since":"fuzz:1:0"}"#, on: daemon.connect(.device))
  daemon.seeTheEnd(publisher)
}

private let columns: [(table: String, columns: [String])] = [
  ("activities", ActivityColumn.allCases.map(\.name)),
  ("dismissals", ["generation", "device", "id", "seq"]),
  (
    "outcomes",
    [
      "scope", "key", "request", "expires_at", "op", "applied", "ignored", "id", "generation",
      "version", "seq", "state", "start_date", "stale_date", "end_date", "dismissal_date",
    ]
  ), ("store", ["epoch", "last_seq", "floor"]),
]

/// Overwrites one column of some rows. What the schema doesn't allow isn't written.
private func damage(_ database: Database, _ choices: inout Choices) {
  let (table, columns) = choices.pick(columns)
  let column = choices.pick(columns)
  let value = value(&choices)
  let row = choices.next() % 6
  let condition = table == "activities" && row < 5 ? " WHERE generation = \(row + 1)" : ""
  try? database.execute(
    "UPDATE OR IGNORE \(table) SET \(column) = \(value)\(condition)")
}

private func value(_ choices: inout Choices) -> String {
  switch choices.next() % 6 {
  case 0: choices.pick(["NULL", "0", "1", "-1", "2", "0.5", "9e999", "-9e999", "x''"])
  case 1: "\(choices.nextInteger())"
  case 2: choices.pick(["9223372036854775807", "-9223372036854775808", "9007199254740992"])
  case 3:
    choices.pick([
      "'active'", "'pending'", "'stale'", "'ended'", "'dismissed'", "'lifetime'", "'[]'", "'{}'",
      "'[\"c\"]'", "'[1]'", "'a'", "''", "'{\"a\":'", "'null'", "char(10)", "char(0)",
    ])
  case 4: "1800000000000000 + \(choices.nextInteger() % 100_000_000_000)"
  default: "CAST(x'\((0..<choices.next() % 20).map { _ in hex(choices.next()) }.joined())' AS TEXT)"
  }
}

private func hex(_ byte: Int) -> String {
  let digits = String(byte, radix: 16)
  return digits.count == 1 ? "0" + digits : digits
}

/// A store with activities of every state, made once and never changed for good.
/// Only libFuzzer's one thread uses it.
private nonisolated(unsafe) let sharedStore: SQLiteStore = {
  var template = Array("/tmp/activityd-fuzz-XXXXXX".utf8CString)
  unsafe mkdtemp(&template)
  let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  do throws(StoreError) {
    let store = try SQLiteStore(path: folder + "/store.db")
    _ = try store.commit(samples())
    return store
  } catch { preconditionFailure(error.message) }
}()

private func samples() -> [Mutation] {
  let now = Instant(seconds: 1_800_000_000)
  let states: [(String, State)] = [
    ("a", .active), ("b", .pending), ("c", .ended), ("d", .dismissed), ("e", .stale),
  ]
  var mutations: [Mutation] = states.map { id, state in
    var activity = Activity(
      id: id, attributesType: "T", contentState: JSONText("1"), watermark: now, startDate: now,
      lifetime: .hours(8))
    activity.version = 1
    activity.state = state
    activity.channels = ["c"]
    activity.staleDate = now + .hours(1)
    if state == .ended || state == .dismissed {
      activity.endedAt = now
      activity.dismissalDate = now + .hours(4)
    }
    if state == .dismissed { activity.dismissedAt = now }
    activity.alert = Alert(content: JSONText(#"{"title":"t"}"#), version: 1, seq: 0, at: now)
    var transition = Transition(activity: activity, basis: 0)
    transition.opensGeneration = true
    transition.entersView = state != .pending
    return .transition(transition)
  }
  mutations.append(.dismissal(DeviceDismissal(device: "phone", id: "a", generation: 1)))
  mutations.append(
    .outcome(
      KeptOutcome(
        key: OutcomeKey(scope: "fuzz", key: "k"), request: Digest(value: 7),
        expiresAt: now + .hours(1), op: "start", applied: true, ignored: ["x"], told: Told(id: "a"))
    ))
  return mutations
}

private func attempt(_ body: () throws(SQLiteError) -> Void) {
  do throws(SQLiteError) { try body() } catch { preconditionFailure(error.message) }
}

extension SQLiteStore {
  /// What it tells of itself now.
  fileprivate func readAgain() throws(StoreError) -> StoreIdentity {
    do throws(SQLiteError) {
      return try Self.readIdentity(database)
    } catch { throw error.storeError(path: path) }
  }
}
