import ActivityCore

/// Nobody sees or changes what its token doesn't reach, nor goes on when that has ended; nobody in
/// public sees what is sensitive.
struct Privacy: Guarantee {
  static let name = "privacy"

  /// What may be asked before a token is shown, where one is needed.
  private static let forAnybody: Set<String> = ["hello", "help", "ping", "quit"]

  /// Keys of tokens whose end was told.
  private var revoked: Set<String> = []
  /// Refs of hellos that mustn't be obeyed.
  private var doomed: Set<String> = []
  /// The same of hellos that came too late, with what the clock mustn't be set back behind.
  private var late: [String: Instant] = [:]

  init() {}

  mutating func observe(_ observation: Observation, _ model: Model) throws {
    switch observation {
    case .asked(let party, let request): judge(request, of: party, model)
    case .time(let now): late = late.filter { $0.value <= now }
    case .told(let party, let line, _):
      revoked.formUnion(model.tokensRevoked(by: line).map(\.key))
      try checkAdmission(line, party, model)
      if let subject = line.subject { try check(subject, line, party, model) }
    case .landed: for change in model.landed { try checkWriter(of: change.after, model) }
    case .rested: try checkNobodyStays(model)
    default: break
    }
  }

  // MARK: Who is let in

  private mutating func judge(_ request: Request, of party: Party, _ model: Model) {
    guard case .hello(let hello) = request.effect, let token = hello.token, let ref = request.ref
    else { return }
    if hello.isForged || revoked.contains(token.key)
      || token.device.map({ $0 != party.name }) ?? false
    {
      doomed.insert(ref)
    } else if let expiry = token.expiresAt, expiry <= model.now {
      late[ref] = expiry
    }
  }

  private mutating func checkAdmission(_ line: Line, _ party: Party, _ model: Model) throws {
    if line.operation == "hello", let ref = line.ref {
      try demand(!doomed.contains(ref) && late[ref] == nil, "let in: \(line.text)")
    }
    guard party.needsToken, model.rights[party.number]?.token == nil else { return }
    try demand(
      line.operation.map(Self.forAnybody.contains) ?? (line.subject == nil),
      "told without a token: \(line.text)")
  }

  private func checkNobodyStays(_ model: Model) throws {
    for (number, rights) in model.rights {
      guard let token = rights.token else { continue }
      try demand(
        model.end(of: token) == nil,
        "connection \(number) is there, though \(token.name) holds no longer")
    }
  }

  // MARK: What is seen and changed

  private func check(
    _ subject: Line.Subject, _ line: Line, _ party: Party, _ model: Model
  ) throws {
    guard let rights = model.rights[party.number],
      let activity = model.history.newest(subject.generation)
    else { return }
    try demand(rights.reads(activity), "told beyond \(rights.token?.name ?? ""): \(line.text)")
    if line.operation == nil, let seq = subject.seq,
      let end = rights.token.flatMap({ model.end(of: $0) })
    {
      try demand(seq <= end, "told when its token held no longer: \(line.text)")
    }
    guard let change = subject.seq.flatMap({ model.history.change($0) }) else { return }
    let seen = change.after.seen(on: rights.surface)
    try demand(
      subject.contentState ?? seen.contentState == seen.contentState
        && subject.attributes ?? seen.attributes == seen.attributes,
      "shown in \(rights.surface): \(line.text)")
  }

  /// Whoever changed it could publish it, or take away for all what it read.
  private func checkWriter(of activity: Activity, _ model: Model) throws {
    guard let writer = activity.changedBy, writer.hasPrefix("token:") else { return }
    let tokens = model.tokens.filter { writer == "token:\($0.name)" }
    try demand(
      tokens.contains {
        $0.publishes(activity) || activity.reason == .device && $0.reads(activity)
      }, "\(activity.id) was changed by \(writer)")
  }
}
