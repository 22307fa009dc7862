package import ActivityCore

extension SQLiteStore {
  package func commit(_ mutations: [Mutation]) throws(StoreError) -> Committed {
    do throws(SQLiteError) {
      return try database.transaction { () throws(SQLiteError) in try carryOut(mutations) }
    } catch { throw error.storeError(path: path) }
  }

  private func carryOut(_ mutations: [Mutation]) throws(SQLiteError) -> Committed {
    var progress = try readProgress()
    let before = progress
    var committed = Committed(seqBefore: before.seq, results: [])
    committed.results.reserveCapacity(mutations.count)
    for mutation in mutations {
      committed.results.append(try carryOut(mutation, &progress))
    }
    if progress.seq != before.seq || progress.floor != before.floor || progress.isTrial {
      try statements.writeStore.bind(progress.seq, at: 1)
      try statements.writeStore.bind(progress.floor, at: 2)
      try statements.writeStore.run()
    }
    return committed
  }

  /// The store's numbers as they stand at one point of a transaction.
  private struct Progress {
    var seq: Seq
    var floor: Seq
    /// The generations that this transaction opened, by id.
    var opened: [Name: Generation] = [:]
    /// The store's row is written in any case.
    var isTrial = false

    mutating func nextSeq() -> Seq {
      seq += 1
      return seq
    }

    /// The generation meant by one that was 0 when its start was still staged.
    func generation(_ given: Generation, id: String) -> Generation {
      given != 0 ? given : opened[Name(id)] ?? 0
    }
  }

  private func readProgress() throws(SQLiteError) -> Progress {
    defer { statements.readStore.reset() }
    guard try statements.readStore.step() else {
      throw SQLiteError(.corrupt, "the row of the store is missing")
    }
    return Progress(
      seq: statements.readStore.integer(at: 1), floor: statements.readStore.integer(at: 2))
  }

  private func carryOut(
    _ mutation: Mutation, _ progress: inout Progress
  ) throws(SQLiteError) -> MutationResult {
    switch mutation {
    case .transition(let transition): return .seq(try write(transition, &progress))
    case .dismissal(let dismissal): return .seq(try write(dismissal, &progress))
    case .watermark(let id, let instant): try setWatermark(of: id, to: instant)
    case .outcome(let outcome): try keep(outcome, at: progress.seq)
    case .forget(let generation): try forget(generation, &progress)
    case .expireOutcomes(let instant):
      try statements.expireOutcomes.bind(instant.microseconds, at: 1)
      try statements.expireOutcomes.run()
    case .token(let token):
      try statements.insertToken.bind(token)
      try statements.insertToken.run()
      return .seq(progress.nextSeq())
    case .revoke(let key):
      try statements.deleteToken.bind(key, at: 1)
      try statements.deleteToken.run()
      return .seq(progress.nextSeq())
    case .trial: progress.isTrial = true
    }
    return .done
  }
}

// One mutation each.
extension SQLiteStore {
  private func write(
    _ transition: Transition, _ progress: inout Progress
  ) throws(SQLiteError) -> Seq {
    let seq = progress.nextSeq()
    if transition.opensGeneration {
      progress.opened[Name(transition.id)] = seq
      try statements.insertActivity.bind(
        transition, seq: seq, generation: seq, withFixed: true)
      try statements.insertActivity.run()
      return seq
    }
    let generation = progress.generation(transition.generation, id: transition.id)
    if transition.activity.state == .dismissed {
      try statements.dismissActivity.bind(
        transition, seq: seq, generation: generation, withFixed: true)
      try statements.dismissActivity.run()
    } else {
      try statements.updateActivity.bind(
        transition, seq: seq, generation: generation, withFixed: false)
      try statements.updateActivity.run()
    }
    // The core and the file disagree; going on would only spread that.
    guard database.rowsChanged == 1 else {
      throw SQLiteError(.mismatch, "generation \(generation) isn't in the store, but was changed")
    }
    return seq
  }

  private func write(
    _ dismissal: DeviceDismissal, _ progress: inout Progress
  ) throws(SQLiteError) -> Seq {
    let seq = progress.nextSeq()
    let generation = progress.generation(dismissal.generation, id: dismissal.id)
    try statements.insertDismissal.bind(dismissal, seq: seq, generation: generation)
    try statements.insertDismissal.run()
    return seq
  }

  private func setWatermark(of id: String, to instant: Instant) throws(SQLiteError) {
    try statements.setWatermark.bind(id, at: 1)
    try statements.setWatermark.bind(instant.microseconds, at: 2)
    try statements.setWatermark.run()
  }

  private func keep(_ outcome: KeptOutcome, at seq: Seq) throws(SQLiteError) {
    var told = outcome.told
    if told.isOwnDismissal {
      told.seq = seq
    } else {
      told = try newest(of: told.id).map(Told.init) ?? Told(id: told.id)
    }
    try statements.insertOutcome.bind(outcome, told: told)
    try statements.insertOutcome.run()
  }

  private func newest(of id: String) throws(SQLiteError) -> Activity? {
    defer { statements.newestActivity.reset() }
    try statements.newestActivity.bind(id, at: 1)
    return try statements.newestActivity.step() ? statements.newestActivity.activity() : nil
  }

  private func forget(
    _ generation: Generation, _ progress: inout Progress
  ) throws(SQLiteError) {
    try statements.forgetDismissals.bind(generation, at: 1)
    try statements.forgetDismissals.run()
    defer { statements.forgetActivity.reset() }
    try statements.forgetActivity.bind(generation, at: 1)
    if try statements.forgetActivity.step() {
      progress.floor = max(progress.floor, statements.forgetActivity.integer(at: 1))
    }
  }
}
