import ActivityCore
import ActivityWire
import TestSupport

/// Whatever a line tells was on disk when the line was handed to the socket, just as it tells it.
struct DurableThenVisible: Guarantee {
  static let name = "durable-then-visible"

  init() {}

  mutating func observe(_ observation: Observation, _ model: Model) throws {
    guard case .told(let party, let line, let durable) = observation else { return }
    let seqs = [line.cursor?.seq, line.members["seq"]?.integer.map(Seq.init)]
    for case let seq? in seqs {
      try demand(seq <= durable, "seq \(seq) is told, \(durable) is durable: \(line.text)")
    }
    if line.tellsState, let subject = line.subject { try check(subject, line, durable, model) }
    if line.operation == "dismiss", let subject = line.subject, subject.seq == nil,
      let name = party.name, line.members["outcome"]?.string == "applied"
    {
      try demand(
        model.history.hasDismissed(subject.generation, name, upTo: durable),
        "a dismissal isn't on disk: \(line.text)")
    }
  }

  private func check(
    _ subject: Line.Subject, _ line: Line, _ durable: Seq, _ model: Model
  ) throws {
    guard let seq = subject.seq, let change = model.history.change(seq), seq <= durable else {
      throw Violation(Self.self, "no durable change has this seq: \(line.text)")
    }
    let activity = change.after
    // Which of them it must be is another guarantee's.
    let contents = [.private, .public].map { activity.seen(on: $0).contentState }
    try demand(
      subject.id == activity.id && subject.generation == activity.generation
        && subject.version == activity.version && subject.state == activity.state.rawValue
        && subject.contentState.map(contents.contains) ?? true,
      "told otherwise than it is on disk: \(line.text)")
  }
}
