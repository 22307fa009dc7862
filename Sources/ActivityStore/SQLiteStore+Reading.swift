package import ActivityCore

extension SQLiteStore {
  /// How many activities `load` will hand out.
  package func activityCount() throws(StoreError) -> Int {
    do throws(SQLiteError) {
      return Int(try database.integer("SELECT count(*) FROM activities"))
    } catch { throw error.storeError(path: path) }
  }

  package func load(_ receive: (StoredItem) -> Void) throws(StoreError) {
    do throws(SQLiteError) {
      try Self.load(from: database, receive)
    } catch { throw error.storeError(path: path) }
  }

  static func load(
    from database: Database, _ receive: (StoredItem) -> Void
  ) throws(SQLiteError) {
    let activities = try Statement(ActivityColumn.select("ORDER BY generation"), in: database)
    let lastSeq = try readIdentity(database).lastSeq
    while try activities.step() {
      let activity = try activities.activity()
      guard activity.seq <= lastSeq else {
        throw SQLiteError(.corrupt, "generation \(activity.generation) is newer than the store")
      }
      receive(.activity(activity))
    }
    let dismissals = try Statement(Statement.selectDismissals("ORDER BY seq"), in: database)
    while try dismissals.step() { receive(.dismissal(dismissals.dismissal())) }
    let outcomes = try Statement(
      Statement.selectOutcomes("ORDER BY scope, key"), in: database)
    while try outcomes.step() { receive(.outcome(try outcomes.outcome())) }
    try readTokens(from: database, receive)
  }

  private static func readTokens(
    from database: Database, _ receive: (StoredItem) -> Void
  ) throws(SQLiteError) {
    let tokens = try Statement(Statement.selectTokens, in: database)
    while try tokens.step() { receive(.token(try tokens.token())) }
  }

  /// Reads the tables whole: see `Schema` on why there is no index.
  package func changes(
    after seq: Seq, _ receive: (StoredItem) -> Void
  ) throws(StoreError) {
    do throws(SQLiteError) {
      try mergeChanges(after: seq, receive)
      let outcomes = try Statement(
        Statement.selectOutcomes("WHERE seq > ?1 ORDER BY scope, key"), in: database)
      try outcomes.bind(seq, at: 1)
      while try outcomes.step() { receive(.outcome(try outcomes.outcome())) }
      try Self.readTokens(from: database, receive)
    } catch { throw error.storeError(path: path) }
  }

  private func mergeChanges(
    after seq: Seq, _ receive: (StoredItem) -> Void
  ) throws(SQLiteError) {
    let activities = try Statement(
      ActivityColumn.select("WHERE seq > ?1 ORDER BY seq"), in: database)
    let dismissals = try Statement(
      Statement.selectDismissals("WHERE seq > ?1 ORDER BY seq"), in: database)
    try activities.bind(seq, at: 1)
    try dismissals.bind(seq, at: 1)
    var activity = try activities.step() ? activities.activity() : nil
    var dismissal = try dismissals.step() ? dismissals.dismissal() : nil
    while activity != nil || dismissal != nil {
      if let next = activity, next.seq < dismissal?.seq ?? .max {
        receive(.activity(next))
        activity = try activities.step() ? activities.activity() : nil
      } else if let next = dismissal {
        receive(.dismissal(next))
        dismissal = try dismissals.step() ? dismissals.dismissal() : nil
      }
    }
  }
}
