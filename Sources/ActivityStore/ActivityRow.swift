import ActivityCore

/// The columns of `activities`. A column's raw value is its parameter in the statements that
/// write a row, and its place in those that read one.
enum ActivityColumn: CInt, CaseIterable {
  case generation = 1
  case id, version, seq, shownSeq, state
  case attributesType, channels, relevanceScore
  case source, sourcePriority, changedBy, startedBy, reason
  case watermark, startTimestamp, startDate, lifetime
  case staleDate, endedAt, dismissalDate, dismissedAt, dueAt
  case alert, alertVersion, alertSeq, alertAt
  case startDigest, url, links, sensitive, attributes, contentState

  /// The case's name in snake case.
  var name: String {
    var name = ""
    for character in "\(self)" {
      if character.isUppercase { name += "_" }
      name += character.lowercased()
    }
    return name
  }

  var parameter: String { "?\(rawValue)" }
}

// The statements' texts.
extension ActivityColumn {
  static let names = allCases.map(\.name).joined(separator: ", ")

  static let insert =
    "INSERT INTO activities (\(names)) VALUES (\(allCases.map(\.parameter).joined(separator: ", ")))"

  /// Writes all but the generation and its id, which never change: so the index is left alone.
  static let dismiss = update(allCases.dropFirst(2))

  /// Writes what can change while it lives.
  static let update = update(allCases.dropFirst(2).filter { !$0.isFixed })

  private static func update(_ columns: some Sequence<ActivityColumn>) -> String {
    "UPDATE activities SET "
      + columns.map { "\($0.name) = \($0.updated)" }.joined(separator: ", ")
      + " WHERE generation = ?1"
  }

  /// It stays from the start to the dismissal.
  private var isFixed: Bool {
    switch self {
    case .attributesType, .channels, .startDigest, .startedBy, .attributes: true
    default: false
    }
  }

  static func select(_ rest: String) -> String { "SELECT \(names) FROM activities \(rest)" }

  /// The seqs that a row keeps are kept here, so that no update has to read it first. Together
  /// with `bind(_:seq:generation:)` this is `Transition.sealed` for the row that is there.
  private var updated: String {
    switch self {
    case .shownSeq: "coalesce(\(parameter), shown_seq)"
    case .alertSeq:
      "CASE WHEN \(Self.alert.parameter) NOT NULL THEN coalesce(\(parameter), alert_seq, 0) END"
    default: parameter
    }
  }
}

// Writing a row.
extension Statement {
  /// Binds a transition to `ActivityColumn.insert` or `.dismiss` or, without what is fixed, to
  /// `.update`.
  borrowing func bind(
    _ transition: Transition, seq: Seq, generation: Generation, withFixed: Bool
  ) throws(SQLiteError) {
    let activity = transition.activity
    let opens = transition.opensGeneration
    clear()
    try bind(generation, .generation)
    try bind(activity.version, .version)
    try bind(seq, .seq)
    try bind(transition.entersView ? seq : opens ? 0 : nil, .shownSeq)
    try bind(activity.state.rawValue, .state)
    try bindAlert(of: activity, seq: seq, opens: opens)
    if withFixed { try bindFixed(of: activity) }
    try bindContents(of: activity)
    try bindAuthors(of: activity)
    try bindInstants(of: activity)
  }

  private borrowing func bindAlert(
    of activity: Activity, seq: Seq, opens: Bool
  ) throws(SQLiteError) {
    let alert = activity.alert
    try bind(alert?.content, .alert)
    try bind(alert?.version, .alertVersion)
    try bind(alert?.at.microseconds, .alertAt)
    // NULL of an older version's alert: the row keeps the seq that brought it.
    try bind(alert?.version == activity.version ? seq : opens && alert != nil ? 0 : nil, .alertSeq)
  }

  private borrowing func bindFixed(of activity: Activity) throws(SQLiteError) {
    try bind(activity.id, .id)
    try bind(activity.attributesType, .attributesType)
    try bind(NameList.text(activity.channels), .channels)
    try bind(activity.startedBy, .startedBy)
    try bind(activity.attributes, .attributes)
    try bind(blob: activity.startDigest.bytes, at: ActivityColumn.startDigest.rawValue)
  }

  private borrowing func bindContents(of activity: Activity) throws(SQLiteError) {
    try bind(activity.relevanceScore, at: ActivityColumn.relevanceScore.rawValue)
    try bind(activity.contentState, .contentState)
    try bind(activity.url, .url)
    try bind(activity.links, .links)
    let paths = activity.sensitive
    try bind(paths.isEmpty ? nil : NameList.text(paths.map(\.text)), .sensitive)
  }

  private borrowing func bindAuthors(of activity: Activity) throws(SQLiteError) {
    try bind(activity.source?.name, .source)
    try bind(activity.source?.priority, .sourcePriority)
    try bind(activity.changedBy, .changedBy)
    try bind(activity.reason?.rawValue, .reason)
  }

  private borrowing func bindInstants(of activity: Activity) throws(SQLiteError) {
    try bind(activity.watermark.microseconds, .watermark)
    try bind(activity.startTimestamp.microseconds, .startTimestamp)
    try bind(activity.startDate.microseconds, .startDate)
    try bind(activity.lifetime.microseconds, .lifetime)
    try bind(activity.staleDate?.microseconds, .staleDate)
    try bind(activity.endedAt?.microseconds, .endedAt)
    try bind(activity.dismissalDate?.microseconds, .dismissalDate)
    try bind(activity.dismissedAt?.microseconds, .dismissedAt)
    try bind(activity.dueAt?.microseconds, .dueAt)
  }

  // Most columns are NULL, and are so already.

  private borrowing func bind(_ value: Int64?, _ column: ActivityColumn) throws(SQLiteError) {
    if let value { try bind(value, at: column.rawValue) }
  }

  private borrowing func bind(_ text: String?, _ column: ActivityColumn) throws(SQLiteError) {
    if let text { try bind(text, at: column.rawValue) }
  }

  private borrowing func bind(_ json: JSONText?, _ column: ActivityColumn) throws(SQLiteError) {
    if let json { try bind(utf8: json.bytes, at: column.rawValue) }
  }
}

// Reading a row.
extension Statement {
  /// The present row of a statement made by `ActivityColumn.select`.
  borrowing func activity() throws(SQLiteError) -> Activity {
    let id = text(at: ActivityColumn.id.rawValue)
    guard let state = State(rawValue: text(at: ActivityColumn.state.rawValue)),
      let channels = NameList.names(utf8(at: ActivityColumn.channels.rawValue)),
      let startDigest = Digest(bytes: blob(at: ActivityColumn.startDigest.rawValue))
    else {
      throw SQLiteError(.corrupt, "the row of generation \(integer(.generation)) is damaged")
    }
    var activity = Activity(
      id: id, attributesType: text(at: ActivityColumn.attributesType.rawValue),
      attributes: JSONText(bytes: utf8(at: ActivityColumn.attributes.rawValue)),
      channels: channels,
      contentState: JSONText(bytes: utf8(at: ActivityColumn.contentState.rawValue)),
      watermark: Instant(microseconds: integer(.watermark)),
      startDate: Instant(microseconds: integer(.startDate)),
      lifetime: TimeSpan(microseconds: integer(.lifetime)), startDigest: startDigest,
      startedBy: textIfAny(at: ActivityColumn.startedBy.rawValue),
      changedBy: textIfAny(at: ActivityColumn.changedBy.rawValue))
    activity.generation = integer(.generation)
    activity.version = integer(.version)
    activity.seq = integer(.seq)
    activity.shownSeq = integer(.shownSeq)
    activity.state = state
    try readContents(into: &activity)
    readInstants(into: &activity)
    try readAuthors(into: &activity)
    if let flaw = activity.flaw {
      throw SQLiteError(.corrupt, "generation \(activity.generation) is damaged: \(flaw)")
    }
    return activity
  }

  private borrowing func readContents(into activity: inout Activity) throws(SQLiteError) {
    activity.relevanceScore = double(at: ActivityColumn.relevanceScore.rawValue)
    activity.url = json(.url)
    activity.links = json(.links)
    activity.alert = json(.alert).map { content in
      Alert(
        content: content, version: integer(.alertVersion), seq: integer(.alertSeq),
        at: Instant(microseconds: integer(.alertAt)))
    }
    guard !isNull(at: ActivityColumn.sensitive.rawValue) else { return }
    let texts = NameList.names(utf8(at: ActivityColumn.sensitive.rawValue))
    activity.sensitive = texts?.compactMap(SensitivePath.init) ?? []
    // What can't be read must not be shown for that.
    guard let texts, activity.sensitive.count == texts.count else {
      throw SQLiteError(.corrupt, "generation \(activity.generation) has damaged sensitive paths")
    }
  }

  private borrowing func readInstants(into activity: inout Activity) {
    activity.startTimestamp = Instant(microseconds: integer(.startTimestamp))
    activity.staleDate = instant(.staleDate)
    activity.endedAt = instant(.endedAt)
    activity.dismissalDate = instant(.dismissalDate)
    activity.dismissedAt = instant(.dismissedAt)
    activity.dueAt = instant(.dueAt)
  }

  private borrowing func readAuthors(into activity: inout Activity) throws(SQLiteError) {
    if let name = textIfAny(at: ActivityColumn.source.rawValue) {
      activity.source = Source(name: name, priority: integer(.sourcePriority))
    }
    guard let reason = textIfAny(at: ActivityColumn.reason.rawValue) else { return }
    activity.reason = Reason(rawValue: reason)
    guard activity.reason != nil else {
      throw SQLiteError(.corrupt, "generation \(activity.generation) has an unknown reason")
    }
  }

  private borrowing func integer(_ column: ActivityColumn) -> Int64 {
    integer(at: column.rawValue)
  }

  private borrowing func instant(_ column: ActivityColumn) -> Instant? {
    integerIfAny(at: column.rawValue).map(Instant.init(microseconds:))
  }

  private borrowing func json(_ column: ActivityColumn) -> JSONText? {
    isNull(at: column.rawValue) ? nil : JSONText(bytes: utf8(at: column.rawValue))
  }
}

extension Digest {
  /// 16 bytes, the most significant first, as `hex()` shows them.
  var bytes: [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: value >> UInt128(120 - 8 * $0)) }
  }

  /// nil unless there are 16.
  init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.init(value: bytes.reduce(0) { $0 << 8 | UInt128($1) })
  }
}
