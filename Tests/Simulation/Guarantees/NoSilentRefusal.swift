import TestSupport

/// Every request line is answered, in order, by what was done or by an error, and what had no
/// effect is named.
struct NoSilentRefusal: Guarantee {
  static let name = "no-silent-refusal"

  /// Of each connection, what isn't answered yet, in order.
  private var waiting: [Int: [Request]] = [:]

  init() {}

  mutating func observe(_ observation: Observation, _ model: Model) throws {
    switch observation {
    case .asked(let party, let request): waiting[party.number, default: []].append(request)
    case .told(let party, let line, _): if line.isAnswer { try settle(line, party) }
    case .closed(let party, let isAgreed):
      if isAgreed { try demandNoneWaits(of: party) }
      waiting[party.number] = nil
    case .rested: try demandNoneWaits(of: nil)
    default: break
    }
  }

  private mutating func settle(_ line: Line, _ party: Party) throws {
    let queue = waiting[party.number] ?? []
    // Who has to show a token may be sent away before anything is asked.
    if party.needsToken, line.kind == .refused("limit-reached"), line.ref == nil { return }
    guard let index = queue.firstIndex(where: { Self.does(line, answer: $0) }) else {
      throw Violation(Self.self, "an answer that nobody asked for: \(line.text)")
    }
    for request in queue[..<index] {
      try demand(request.isQuiet, "passed over: \(request.text)\nby \(line.text)")
    }
    waiting[party.number] = Array(queue[(index + 1)...])
    let request = queue[index]
    guard line.operation != nil else { return }
    let named = line.members["ignored"]?.raw ?? ""
    for key in request.ignored {
      try demand(
        named.contains("\"\(key)\""), "\(key) had no effect, which isn't said: \(line.text)")
    }
  }

  private static func does(_ line: Line, answer request: Request) -> Bool {
    if request.ref == line.ref { return true }
    // What it was nobody has read. The limit is the one before a token is shown.
    return line.kind == .refused("line-too-long") && request.text.utf8.count > 4_096
  }

  private func demandNoneWaits(of party: Party?) throws {
    for (number, requests) in waiting where party.map({ $0.number == number }) ?? true {
      for request in requests {
        try demand(request.isQuiet, "never answered on connection \(number): \(request.text)")
      }
    }
  }
}
