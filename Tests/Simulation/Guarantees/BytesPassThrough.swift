import ActivityCore
import TestSupport

/// attributes, content-state and payload arrive as the bytes that were sent for that activity, less
/// the white space between tokens. What is hidden in public is another guarantee's.
struct BytesPassThrough: Guarantee {
  static let name = "bytes-pass-through"

  private var offered: [String: Set<[UInt8]>] = [:]

  init() {}

  mutating func observe(_ observation: Observation, _ model: Model) throws {
    switch observation {
    case .offered(let bytes, let id): offered[id, default: [Array("{}".utf8)]].insert(bytes)
    case .told(let party, let line, _):
      guard let subject = line.subject,
        line.event != nil || line.kind == .item
          || line.operation == "get"
      else { return }
      let payload = line.event == "action" ? line.members["payload"]?.bytes : nil
      guard !isPartlyHidden(subject, from: party, model) else { return }
      for case let bytes? in [subject.contentState, subject.attributes, payload] {
        try demand(
          offered[subject.id]?.contains(bytes) ?? false,
          "nobody sent these bytes: \(line.text)")
      }
    default: break
    }
  }

  private func isPartlyHidden(
    _ subject: Line.Subject, from party: Party, _ model: Model
  ) -> Bool {
    model.rights[party.number]?.surface == .public
      && subject.seq.flatMap { model.history.change($0) }?.after.sensitive.isEmpty == false
  }
}
