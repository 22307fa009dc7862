package import ActivityCore

/// Answers about tokens.
extension LineWriter {
  /// - Parameter text: The token itself, told this once.
  package mutating func tokenAdded(_ token: Token, _ text: String, ref: JSONText?) {
    beginAnswer(Operation.tokenAdd.rawValue, ref)
    member("name", token.name)
    member("token", text)
    rights(token)
    member("expires-date", token.expiresAt)
    endLine()
  }

  /// One line of a list.
  package mutating func listed(_ token: Token, ref: JSONText?) {
    beginObject()
    key("token")
    beginObject()
    member("name", token.name)
    rights(token)
    member("created-date", token.createdAt)
    member("expires-date", token.expiresAt)
    endObject()
    member("ref", ref)
    endLine()
  }

  /// The end of that list.
  package mutating func listedTokens(count: Int, ref: JSONText?) {
    beginAnswer(Operation.tokenList.rawValue, ref)
    member("count", count)
    endLine()
  }

  /// - Parameter sessions: how many it had let in.
  package mutating func tokenRevoked(_ name: String, sessions: Int, ref: JSONText?) {
    beginAnswer(Operation.tokenRevoke.rawValue, ref)
    member("name", name)
    member("sessions", sessions)
    endLine()
  }

  private mutating func rights(_ token: Token) {
    member("role", token.role.rawValue)
    if let channels = token.reach.channels { member("channels", channels.map(\.text)) }
    if let types = token.reach.types { member("types", types.map(\.text)) }
    if token.dismissesEverywhere { member("everywhere", true) }
    member("surface", token.surface?.rawValue)
    member("device", token.device)
  }
}
