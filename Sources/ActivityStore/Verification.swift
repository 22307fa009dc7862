package import ActivityCore
internal import CSQLite

/// What was found in a store's file.
package struct StoreReport: Sendable {
  /// What it holds; empty if that can't be told.
  package fileprivate(set) var facts: [String] = []
  /// What is wrong, a sentence each.
  package fileprivate(set) var problems: [String] = []

  /// Checks the file of a store that nobody uses. Nothing is written, not even beside it. Reads the
  /// whole file, so it takes its time.
  package init(onFileAt path: String) {
    do throws(SQLiteError) {
      guard try PrivateFile.exists(path) else {
        throw SQLiteError(.cannotOpen, "there is no such file")
      }
      let database = try Database(restingAt: path)
      let present = try Schema.current.recognize(database)
      facts.append("schema \(present)")
      try checkIntegrity(of: database)
      guard present == Schema.current.version else {
        facts.append(
          "to be migrated to \(Schema.current.version) when it is opened; not looked into")
        return
      }
      try checkInvariants(of: database)
      try count(database)
    } catch {
      problems.append(error.message)
    }
  }

  /// Checks an open store.
  init(on database: Database) throws(SQLiteError) {
    try checkIntegrity(of: database)
    guard problems.isEmpty else { return }
    try checkInvariants(of: database)
  }
}

extension StoreReport {
  private static let problemsMax = 20

  /// As a database.
  private mutating func checkIntegrity(of database: Database) throws(SQLiteError) {
    let check = try Statement("PRAGMA integrity_check(\(Self.problemsMax))", in: database)
    while try check.step() {
      let finding = check.text(at: 1)
      if finding != "ok" { problems.append(finding) }
    }
  }

  /// As a store.
  private mutating func checkInvariants(of database: Database) throws(SQLiteError) {
    for (invariant, violation) in Self.violations {
      let count = try database.integer("SELECT count(*) FROM (\(violation))")
      if count > 0 { problems.append("it doesn't hold that \(invariant) (rows: \(count))") }
    }
  }

  /// Reads all rows as the daemon does, and says how many there are.
  private mutating func count(_ database: Database) throws(SQLiteError) {
    let identity = try SQLiteStore.readIdentity(database)
    facts.append("epoch \(identity.epoch)")
    facts.append("seq \(identity.lastSeq)")
    facts.append("floor \(identity.floor)")
    if try database.isCopy() { facts.append("a backup, of which a new epoch will be begun") }
    var states: [State: Int] = [:]
    var dismissals = 0
    var outcomes = 0
    var tokens = 0
    try SQLiteStore.load(from: database) { item in
      switch item {
      case .activity(let activity): states[activity.state, default: 0] += 1
      case .dismissal: dismissals += 1
      case .outcome: outcomes += 1
      case .token: tokens += 1
      }
    }
    facts += State.allCases.map { "\($0.rawValue) \(states[$0] ?? 0)" }
    facts += ["dismissals \(dismissals)", "idempotency-keys \(outcomes)", "tokens \(tokens)"]
  }

  /// What must hold, and the rows for which it doesn't.
  private static let violations = [
    (
      "seqs lie between a generation's start and the store's last",
      """
      SELECT 1 FROM activities, store
      WHERE seq < generation OR shown_seq > seq OR coalesce(alert_seq, 0) > seq OR seq > last_seq
      """
    ),
    (
      "each seq was given once",
      """
      SELECT 1 FROM (SELECT seq FROM activities UNION ALL SELECT seq FROM dismissals)
      GROUP BY seq HAVING count(*) > 1
      """
    ),
    ("the floor is a seq that was given", "SELECT 1 FROM store WHERE floor > last_seq"),
    (
      "only the newest generation of an id isn't dismissed",
      """
      SELECT 1 FROM activities AS older WHERE state <> 'dismissed' AND EXISTS
        (SELECT 1 FROM activities AS newer
         WHERE newer.id = older.id AND newer.generation > older.generation)
      """
    ),
    (
      "what is pending was never shown, and what is live or ended was",
      """
      SELECT 1 FROM activities WHERE CASE state
        WHEN 'pending' THEN shown_seq <> 0 WHEN 'dismissed' THEN 0 ELSE shown_seq = 0 END
      """
    ),
    (
      "every activity has the instants of its state",
      """
      SELECT 1 FROM activities WHERE lifetime <= 0 OR version <= 0 OR CASE state
        WHEN 'stale' THEN stale_date IS NULL
        WHEN 'ended' THEN ended_at IS NULL OR dismissal_date IS NULL
        WHEN 'dismissed' THEN dismissed_at IS NULL OR reason IS NULL
        ELSE 0 END
      """
    ),
    (
      "what is kept as JSON is JSON",
      """
      SELECT 1 FROM activities WHERE NOT (json_valid(channels) AND json_valid(attributes)
        AND json_valid(content_state) AND json_valid(coalesce(url, 'null'))
        AND json_valid(coalesce(links, 'null')) AND json_valid(coalesce(alert, 'null')))
      """
    ),
    (
      "a device's dismissal is of a generation that is kept",
      """
      SELECT 1 FROM dismissals
      WHERE seq > (SELECT last_seq FROM store)
        OR generation NOT IN (SELECT generation FROM activities)
      """
    ),
  ]
}

extension SQLiteStore {
  /// Reads the whole file and checks that it is sound, as a database and as a store. Slow.
  package func verify() throws(StoreError) {
    do throws(SQLiteError) {
      let report = try StoreReport(on: database)
      if let problem = report.problems.first { throw SQLiteError(.corrupt, problem) }
    } catch { throw error.storeError(path: path) }
  }
}
