import ActivityCore
import ActivityWire
import TestSupport

/// A device that believes what it is told, and knows how it must be told.
///
/// It outlives its connections: what it shows stays, and any cursor that it was given since what
/// it shows was last replaced may be resumed from.
struct NaiveDevice {
  struct Shown: Equatable {
    var version: Version
    var state: String
    var content: String
  }

  /// What it asked for, in order of its answers.
  enum Asked {
    case subscribe(Interest, since: Seq?)
    case unsubscribe(Interest)
    case dismiss
    case enable(Bool)
  }

  enum Phase: Equatable {
    /// It has no subscription.
    case idle
    /// The state is coming; `replaces`: it is all there is. `since`: a cursor's seq.
    case collecting(replaces: Bool, since: Seq?)
    case live
  }

  let name: String?
  private(set) var shown: [Generation: Shown] = [:]
  private(set) var cursors: [String] = []
  private(set) var interest = Interest()
  private(set) var isEnabled = true
  /// Generations that it dismissed for itself.
  private(set) var dismissed: Set<Generation> = []
  /// The newest version it was told of each, ever.
  private var told: [Generation: Version] = [:]

  // Of the present connection.
  private(set) var phase = Phase.idle
  private var asked: [Pending] = []
  private var versions: [Generation: Version] = [:]
  private var collected: [Generation] = []
  private(set) var heard: Set<[Int64]> = []
  private var cursorSeq: Seq = 0
  /// Its subscription last changed after this seq …
  private var changedAfter: Seq = 0
  /// … and before this one.
  private(set) var changedBefore: Seq = 0

  private struct Pending {
    let ref: String
    let what: Asked
    /// The newest seq when it was asked.
    let seq: Seq
  }

  init(name: String?) { self.name = name }

  mutating func connected() {
    (phase, asked, versions, collected, heard) = (.idle, [], [:], [], [])
    cursorSeq = 0
    isEnabled = true
    interest = Interest()
  }

  mutating func asks(_ what: Asked, ref: String, newest: Seq) {
    asked.append(Pending(ref: ref, what: what, seq: newest))
  }

  /// A device that comes without a name is another one each time.
  mutating func becomeAnother() { self = NaiveDevice(name: nil) }

  /// - Returns: what is wrong with the line; nil if it is as it must be.
  mutating func hears(_ line: JSONLine, _ history: NaiveHistory, newest: Seq) -> String? {
    if line["ok"] != nil || line["error"] != nil { return hearsAnswer(line, history, newest) }
    switch line["event"]?.string {
    case "welcome", "bye": return nil
    case "ping": return hearsCursor(line, history)
    case "reset":
      shown = [:]
      cursors = []
      versions = [:]
      collected = []
      phase = .collecting(replaces: true, since: nil)
      return nil
    case "synced": return hearsSynced(line, history)
    case "start", "update", "stale", "end", "dismiss":
      return hearsEvent(line, history) ?? hearsCursor(line, history)
    default: return "an event nobody knows"
    }
  }
}

// MARK: - Answers

extension NaiveDevice {
  private mutating func hearsAnswer(
    _ line: JSONLine, _ history: NaiveHistory, _ newest: Seq
  ) -> String? {
    guard let ref = line["ref"]?.string else { return hearsCursorless(line) }
    guard asked.first?.ref == ref else { return "an answer out of turn" }
    let pending = asked.removeFirst()
    let what = pending.what
    guard line["ok"] != nil else {
      if case .dismiss = what { return nil }
      return "refused"
    }
    switch what {
    case .subscribe(let more, let since):
      let isFirst = phase == .idle
      interest.add(more)
      phase = .collecting(replaces: isFirst && since == nil, since: since)
      collected = []
      (changedAfter, changedBefore) = (pending.seq, newest)
      if !isFirst { cursors = [] }
    case .unsubscribe(let less):
      interest.remove(less)
      if interest.isEmpty { phase = .idle }
      (changedAfter, changedBefore) = (pending.seq, newest)
    case .dismiss:
      guard let generation = line["generation"]?.integer.map(Int64.init) else {
        return "no generation"
      }
      // Gone for all: that will be told.
      if line["outcome"]?.string == "noop", !history.hasDismissed(generation, name) { return nil }
      dismissed.insert(generation)
      shown[generation] = nil
    case .enable(let enabled):
      isEnabled = enabled
      (changedAfter, changedBefore) = (pending.seq, newest)
    }
    return nil
  }

  private func hearsCursorless(_ line: JSONLine) -> String? {
    line["error"] == nil ? nil : "refused"
  }
}

// MARK: - Cursors

extension NaiveDevice {
  private mutating func hearsSynced(_ line: JSONLine, _ history: NaiveHistory) -> String? {
    guard case .collecting(let replaces, _) = phase else { return "synced, but nothing was asked" }
    guard line["count"]?.integer == collected.count else {
      return "counted wrong: \(collected.count) were told"
    }
    if replaces {
      shown = shown.filter { collected.contains($0.key) }
      cursors = []
    }
    phase = .live
    return hearsCursor(line, history)
  }

  /// A cursor says that nothing at or below it is missing here.
  private mutating func hearsCursor(_ line: JSONLine, _ history: NaiveHistory) -> String? {
    guard let text = line["cursor"]?.string else { return nil }
    guard let cursor = Cursor(text) else { return "no cursor" }
    guard phase == .live else { return "a cursor before synced" }
    guard cursor.seq >= cursorSeq else { return "a cursor below an earlier one" }
    cursorSeq = cursor.seq
    cursors.append(text)
    guard isEnabled else { return nil }
    for generation in history.changes.keys {
      guard let then = history.activity(generation, at: cursor.seq), interest.holds(then),
        !dismissed.contains(generation), !history.hasDismissed(generation, name)
      else { continue }
      if then.state == .dismissed {
        if shown[generation] != nil { return "the cursor is above a dismissal not told" }
      } else if then.state != .pending, history.newest(generation)?.state != .dismissed,
        told[generation] ?? 0 < then.version
      {
        return "the cursor is above version \(then.version) of \(generation), not told"
      }
    }
    return nil
  }
}

// MARK: - Events

extension NaiveDevice {
  private mutating func hearsEvent(
    _ line: JSONLine, _ history: NaiveHistory
  ) -> String? {
    guard let event = line["event"]?.string, let id = line["id"]?.string,
      let generation = line["generation"]?.integer.map(Int64.init),
      let version = line["version"]?.integer.map(Int64.init), let state = line["state"]?.string
    else { return "incomplete" }
    let reason = line["reason"]?.string
    if event == "dismiss", reason == "unsubscribed" || reason == "disabled" {
      guard shown[generation] != nil else { return "taken away, but never shown" }
      shown[generation] = nil
      versions[generation] = nil
      cursors = []
      return nil
    }
    guard history.newest(generation)?.id == id else { return "no such generation" }
    let isOwn = event == "dismiss" && reason == "dismissed"
    if isOwn, phase == .live {
      // Its dismissal was reported as failed, but wasn't.
      guard shown[generation] != nil else { return "taken away, but never shown" }
      dismissed.insert(generation)
      shown[generation] = nil
      return nil
    }
    if dismissed.contains(generation), event != "dismiss" || phase == .live {
      // That it is gone for all may be told behind the answer to its own dismissal: answers come
      // before the events of their turn.
      return event == "dismiss" ? nil : "this device had dismissed it"
    }
    if let wrong = check(event, generation, version) { return wrong }
    if isOwn { dismissed.insert(generation) }
    versions[generation] = version
    told[generation] = max(told[generation] ?? 0, version)
    if event == "dismiss" {
      shown[generation] = nil
    } else {
      let content = line["content-state"]?.raw ?? ""
      shown[generation] = Shown(version: version, state: state, content: content)
    }
    return hearsAlert(line, generation, history)
  }

  private mutating func check(
    _ event: String, _ generation: Generation, _ version: Version
  ) -> String? {
    if case .collecting(let replaces, let since) = phase {
      collected.append(generation)
      if replaces || since == nil, event != "start" { return "told of, but not as a start" }
      if event != "start", event != "dismiss", shown[generation] == nil {
        return "changed, but never started"
      }
      if let last = versions[generation], version < last { return "an older version" }
      return nil
    }
    guard phase == .live || event == "dismiss" else { return "told without a subscription" }
    if event == "start", shown[generation] != nil { return "started twice" }
    if event != "start", shown[generation] == nil { return "changed, but never started" }
    if let last = versions[generation], version <= last { return "told twice" }
    return nil
  }

  private mutating func hearsAlert(
    _ line: JSONLine, _ generation: Generation, _ history: NaiveHistory
  ) -> String? {
    guard let version = line["alert-version"]?.integer.map(Int64.init) else { return nil }
    guard let alert = history.alert(generation, version: version) else { return "whose alert?" }
    guard heard.insert([generation, version]).inserted else { return "alerted twice" }
    guard case .collecting(_, let since) = phase, alert.seq <= changedAfter else { return nil }
    guard let since else { return "alerted, but it joined later" }
    guard alert.seq > since else { return "alerted again after a resume" }
    return nil
  }
}
