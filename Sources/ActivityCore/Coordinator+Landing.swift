/// Becoming durable, or not.
extension Coordinator {
  /// Makes a durable transition visible.
  ///
  /// - Returns: the row that readers see from now on.
  package func land(_ transition: Transition, seq: Seq, batch: Int) -> Row {
    let subject = nextStaged(transition.id)
    landedBatch = batch
    return show(transition.sealed(seq: seq, over: subject.row), of: subject)
  }

  /// Makes a durable watermark visible.
  package func land(watermark: Instant, id: String, batch: Int) {
    landedBatch = batch
    nextStaged(id).row?.activity.watermark = watermark
  }

  /// Whose change lands now: it is the first one staged that hasn't landed yet.
  private func nextStaged(_ id: String) -> Subject {
    precondition(landedCount < stagedSubjects.count, "what lands was staged before")
    let subject = stagedSubjects[landedCount]
    precondition(Name(subject.id) == Name(id), "changes land in the order of their staging")
    landedCount += 1
    landed = subject
    return subject
  }

  /// The newest durable generation of an id, its tombstone too; nil if there is none.
  package func row(of id: String) -> Row? {
    if let landed, Name(landed.id) == Name(id) { return landed.row }
    return subjects[Name(id)]?.row
  }

  /// A tombstone is removed for good.
  package func land(forget generation: Generation) {
    guard let row = rows.removeValue(forKey: generation) else { return }
    row.isForgotten = true
    landed = nil
    deadlines.set(row, to: nil)
    let id = row.activity.id
    if let subject = subjects[Name(id)], subject.row === row, subject.staged == nil {
      subjects[Name(id)] = nil
    } else if let subject = subjects[Name(id)], subject.row === row {
      subject.row = nil
    }
    counts[row.activity.state] -= 1
    while forgottenCount < tombstones.count, tombstones[forgottenCount].isForgotten {
      forgottenCount += 1
    }
    if forgottenCount > 1_024, forgottenCount * 2 > tombstones.count {
      tombstones.removeFirst(forgottenCount)
      forgottenCount = 0
    }
  }

  /// Forgets all that is decided but not durable: the batches it was for have failed.
  package func dropStaged() {
    for subject in stagedSubjects {
      guard subject.staged != nil else { continue }
      let publisher = subject.publisher
      subject.staged = nil
      count(subject, before: publisher)
      if subject.row == nil { subjects[Name(subject.id)] = nil }
      deadlines.set(subject, to: subject.row?.activity.nextDeadline)
    }
    stagedSubjects.removeAll(keepingCapacity: true)
    landedCount = 0
    for row in leaving where !row.isForgotten {
      row.isLeaving = false
      // At once, whatever the clock says then: the store may have forgotten it already.
      deadlines.set(row, to: Instant(seconds: 0))
    }
    leaving.removeAll()
    outcomes.dropStaged()
  }

  /// Makes room for so many activities, all at once instead of by doubling.
  package func reserveRoom(for count: Int) {
    subjects.reserveCapacity(count)
    rows.reserveCapacity(count)
    deadlines.reserveRoom(for: count)
  }

  /// Takes a row as the store holds it: at the start, or when a batch that seemed to have failed
  /// turns out to have landed. Nothing may be staged.
  ///
  /// - Returns: the row that readers see from now on.
  @discardableResult
  package func restore(_ activity: Activity) -> Row {
    let subject = subjects[Name(activity.id)] ?? Subject(id: activity.id)
    let publisher = subject.publisher
    let row = show(activity, of: subject)
    count(subject, before: publisher)
    deadlines.set(subject, to: subject.row?.activity.nextDeadline)
    return row
  }

  /// After the last `restore` at the start: puts tombstones in order.
  package func finishRestoring() {
    tombstones.sort { $0.activity.seq < $1.activity.seq }
    outcomes.finishRestoring()
  }

  /// After the last `land` of a batch: what was staged for it is visible now.
  ///
  /// Not earlier: between the changes of one id its tombstone may be removed, and the id must not
  /// be lost with it.
  package func finishLanding() {
    for subject in stagedSubjects[..<landedCount]
    where subject.staged != nil && subject.stagedBatch <= landedBatch {
      subject.staged = nil
      // Its tombstone was removed while a new watermark for it was on its way.
      if subject.row == nil { subjects[Name(subject.id)] = nil }
    }
    stagedSubjects.removeFirst(landedCount)
    landedCount = 0
    landed = nil
    outcomes.finishLanding()
  }

  private func show(_ activity: consuming Activity, of subject: Subject) -> Row {
    let row: Row
    let (generation, state) = (activity.generation, activity.state)
    let newest = subject.row?.activity.generation ?? 0
    if let known = newest == generation ? subject.row : rows[generation] {
      row = known
      let before = row.activity.state
      if state == .dismissed, before != .dismissed {
        unlist(row)
        tombstones.append(row)
      }
      counts[before] -= 1
      row.activity = consume activity
    } else {
      row = Row(consume activity)
      rows[generation] = row
      if state == .dismissed { tombstones.append(row) } else { list(row) }
    }
    counts[state] += 1
    if state == .dismissed { scheduleForgetting(row) }
    if newest < generation {
      row.olderGeneration = newest
      subject.row = row
      subjects[Name(subject.id)] = subject
    }
    return row
  }

  private func scheduleForgetting(_ row: Row) {
    let dismissedAt = row.activity.dismissedAt ?? row.activity.startDate
    deadlines.set(row, to: dismissedAt + limits.tombstoneKept)
  }

  private func list(_ row: Row) {
    let generation = row.activity.generation
    byType[Name(row.activity.attributesType), default: []].insert(generation)
    for channel in row.activity.channels {
      byChannel[Name(channel), default: []].insert(generation)
    }
  }

  private func unlist(_ row: Row) {
    let generation = row.activity.generation
    byType.withoutKey(Name(row.activity.attributesType), generation)
    for channel in row.activity.channels { byChannel.withoutKey(Name(channel), generation) }
  }
}

extension Dictionary where Value == Set<Generation> {
  /// Takes the generation out of one set, and the set out when it is empty.
  fileprivate mutating func withoutKey(_ key: Key, _ generation: Generation) {
    self[key]?.remove(generation)
    if self[key]?.isEmpty ?? false { self[key] = nil }
  }
}
