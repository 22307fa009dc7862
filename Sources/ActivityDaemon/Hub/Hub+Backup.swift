package import ActivityCore
internal import ActivityWire

/// A copy that is being made, and who waits for it.
struct PendingBackup {
  let session: Session
  let ref: JSONText?
}

// MARK: - Copying the store

extension Hub {
  /// Has the store copied. Nothing more that the session asks is carried out until that is done.
  func backUp(to path: String?, _ request: Request, for session: Session) {
    guard let onBackup else {
      return refuse(
        Refusal(.internal, "this daemon's store can't be copied"), request, for: session)
    }
    guard backup == nil else {
      let refusal = Refusal(.limitReached, "a backup is being made already; try again after it")
      return refuse(refusal, request, for: session)
    }
    backup = PendingBackup(session: session, ref: request.ref)
    session.particularsMade().awaitsBackup = true
    onBackup(path)
  }

  /// The store was copied, or couldn't be.
  package func backedUp(_ result: Result<Backup, BackupError>) {
    guard let pending = backup else { return }
    backup = nil
    let session = pending.session
    session.particulars?.awaitsBackup = false
    switch result {
    case .success(let made):
      log.backedUp(made, for: session)
      observe(session, op: Operation.backup.rawValue, id: nil, .ok)
      if !session.isFinishing {
        reply(to: session) { $0.backedUp(made, ref: pending.ref) }
      }
    case .failure(let error):
      log.backupFailed(error, for: session)
      if !session.isFinishing { refuse(error, pending) }
    }
    proceeding.append(session)
    proceedWaiting()
  }

  private func refuse(_ error: BackupError, _ pending: PendingBackup) {
    let refusal =
      switch error.kind {
      case .place: Refusal(.badValue, error.message, key: "path")
      case .failed: Refusal(.storageUnavailable, error.message)
      }
    refuse(
      refusal, op: Operation.backup.rawValue, ref: pending.ref, to: pending.session)
  }
}

extension LineWriter {
  fileprivate mutating func backedUp(_ made: Backup, ref: JSONText?) {
    beginAnswer("backup", ref)
    member("path", made.path)
    member("bytes", made.bytes)
    member("seq", made.seq)
    endLine()
  }
}
