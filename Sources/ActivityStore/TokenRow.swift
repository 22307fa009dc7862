import ActivityCore

// Rows of `tokens`.
extension Statement {
  static let insertToken = """
    INSERT OR REPLACE INTO tokens (\(tokenColumns))
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
    """

  static let selectTokens = "SELECT \(tokenColumns) FROM tokens ORDER BY key"

  private static let tokenColumns = """
    key, hash, name, role, channels, types, everywhere, surface, device, created_at, expires_at
    """

  /// Binds a token to `insertToken`.
  borrowing func bind(_ token: Token) throws(SQLiteError) {
    try bind(token.key, at: 1)
    try bind(blob: token.hash, at: 2)
    try bind(token.name, at: 3)
    try bind(token.role.rawValue, at: 4)
    try bind(token.reach.channels.map { NameList.text($0.map(\.text)) }, at: 5)
    try bind(token.reach.types.map { NameList.text($0.map(\.text)) }, at: 6)
    try bind(token.dismissesEverywhere ? 1 : 0, at: 7)
    try bind(token.surface?.rawValue, at: 8)
    try bind(token.device, at: 9)
    try bind(token.createdAt.microseconds, at: 10)
    try bind(token.expiresAt?.microseconds, at: 11)
  }

  /// The present row of `selectTokens`. Nothing in a damaged one may be taken for a right.
  borrowing func token() throws(SQLiteError) -> Token {
    let surface = textIfAny(at: 8)
    guard let role = Role(rawValue: text(at: 4)),
      surface == nil || Surface(rawValue: surface ?? "") != nil
    else { throw SQLiteError(.corrupt, "the row of a token is damaged") }
    let reach = Reach(channels: try patterns(at: 5), types: try patterns(at: 6))
    var token = Token(
      key: text(at: 1), hash: blob(at: 2), name: text(at: 3), role: role, reach: reach,
      createdAt: Instant(microseconds: integer(at: 10)))
    token.dismissesEverywhere = integer(at: 7) != 0
    token.surface = surface.flatMap(Surface.init)
    token.device = textIfAny(at: 9)
    token.expiresAt = integerIfAny(at: 11).map(Instant.init(microseconds:))
    return token
  }

  private borrowing func patterns(at index: CInt) throws(SQLiteError) -> [NamePattern]? {
    guard !isNull(at: index) else { return nil }
    guard let texts = NameList.names(utf8(at: index)) else {
      throw SQLiteError(.corrupt, "the row of a token is damaged")
    }
    return texts.map(NamePattern.init)
  }
}
