internal import ActivityCore
internal import ActivityWire

/// What is decided together and becomes durable together, with the answers that wait for it.
final class Batch {
  let number: Int
  var mutations: [Mutation] = []
  /// In the order in which they were decided.
  var answers: [Answer] = []
  /// When it was handed to the store, in monotonic microseconds.
  var submittedAt: Int64 = 0

  init(number: Int) {
    self.number = number
  }

  /// The next batch, with room at once for as much as there is in this one.
  func next() -> Batch {
    let next = Batch(number: number + 1)
    next.mutations.reserveCapacity(mutations.count)
    next.answers.reserveCapacity(answers.count)
    return next
  }

  var isEmpty: Bool { mutations.isEmpty && answers.isEmpty }
}

/// An answer that leaves when the batch it was decided with is durable.
struct Answer {
  let session: Session
  /// How many mutations of the batch are to be visible when it is encoded.
  var position: Int
  let body: Body

  enum Body {
    /// A write was decided; the answer tells its activity as it is then.
    case write(WriteAnswer)
    /// The same request was decided earlier in this batch or is so in the same batch.
    case replay(OutcomeKey, op: String, ref: JSONText?, isQuiet: Bool)
    /// Refused on a state that isn't durable yet.
    case refusal(Refusal, op: String, ref: JSONText?, id: String?)
    /// Depends on nothing; it only waits for its turn.
    case line([UInt8])
    /// A line that is told only if the batch lands.
    case durable([UInt8], op: String, ref: JSONText?)
    /// A token was revoked.
    case revocation(Grant, op: String, ref: JSONText?)
    /// A device's own dismissal.
    case dismissal(generation: Generation, id: String, ref: JSONText?, isQuiet: Bool)
  }
}

struct WriteAnswer {
  let id: String
  let op: String
  let ref: JSONText?
  let applied: Bool
  let ignored: [String]
  /// The sender asked for errors only.
  let isQuiet: Bool
}
