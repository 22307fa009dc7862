import ActivityCore

// Rows of `outcomes` and `dismissals`.
extension Statement {
  static let insertOutcome = """
    INSERT OR REPLACE INTO outcomes (\(outcomeColumns))
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
    """

  static func selectOutcomes(_ rest: String) -> String {
    "SELECT \(outcomeColumns) FROM outcomes \(rest)"
  }

  private static let outcomeColumns = """
    scope, key, request, expires_at, op, applied, ignored,
    id, generation, version, seq, state, start_date, stale_date, end_date, dismissal_date
    """

  /// Binds an outcome to `insertOutcome`.
  borrowing func bind(_ outcome: KeptOutcome, told: Told) throws(SQLiteError) {
    try bind(outcome.key.scope.text, at: 1)
    try bind(outcome.key.key.text, at: 2)
    try bind(blob: outcome.request.bytes, at: 3)
    try bind(outcome.expiresAt.microseconds, at: 4)
    try bind(outcome.op, at: 5)
    try bind(outcome.applied ? 1 : 0, at: 6)
    try bind(NameList.text(outcome.ignored), at: 7)
    try bind(told.id, at: 8)
    try bind(told.generation, at: 9)
    try bind(told.version, at: 10)
    try bind(told.seq, at: 11)
    try bind(told.state.rawValue, at: 12)
    try bind(told.startDate?.microseconds, at: 13)
    try bind(told.staleDate?.microseconds, at: 14)
    try bind(told.endDate?.microseconds, at: 15)
    try bind(told.dismissalDate?.microseconds, at: 16)
  }

  /// The present row of a statement made by `selectOutcomes`.
  borrowing func outcome() throws(SQLiteError) -> KeptOutcome {
    var told = Told(id: text(at: 8))
    guard let request = Digest(bytes: blob(at: 3)), let ignored = NameList.names(utf8(at: 7)),
      let state = State(rawValue: text(at: 12))
    else { throw SQLiteError(.corrupt, "a kept outcome's row is damaged") }
    told.generation = integer(at: 9)
    told.version = integer(at: 10)
    told.seq = integer(at: 11)
    told.state = state
    told.startDate = instant(at: 13)
    told.staleDate = instant(at: 14)
    told.endDate = instant(at: 15)
    told.dismissalDate = instant(at: 16)
    return KeptOutcome(
      key: OutcomeKey(scope: text(at: 1), key: text(at: 2)), request: request,
      expiresAt: Instant(microseconds: integer(at: 4)), op: text(at: 5),
      applied: integer(at: 6) != 0, ignored: ignored, told: told)
  }

  static let insertDismissal =
    "INSERT OR REPLACE INTO dismissals (generation, device, id, seq) VALUES (?1, ?2, ?3, ?4)"

  static func selectDismissals(_ rest: String) -> String {
    "SELECT generation, device, id, seq FROM dismissals \(rest)"
  }

  /// Binds a dismissal to `insertDismissal`.
  borrowing func bind(
    _ dismissal: DeviceDismissal, seq: Seq, generation: Generation
  ) throws(SQLiteError) {
    try bind(generation, at: 1)
    try bind(dismissal.device, at: 2)
    try bind(dismissal.id, at: 3)
    try bind(seq, at: 4)
  }

  /// The present row of a statement made by `selectDismissals`.
  borrowing func dismissal() -> DeviceDismissal {
    DeviceDismissal(
      device: text(at: 2), id: text(at: 3), generation: integer(at: 1), seq: integer(at: 4))
  }

  private borrowing func instant(at index: CInt) -> Instant? {
    integerIfAny(at: index).map(Instant.init(microseconds:))
  }
}
