internal import ActivityCore
internal import ActivityWire

// MARK: - hello

extension Hub {
  func hello(_ hello: Hello, _ request: Request, for session: Session) {
    if let refusal = refusalOfToken(in: hello, for: session) {
      return refuse(refusal, request, for: session)
    }
    var shown: Grant?
    if let text = hello.token {
      shown = grant(for: text, request, session)
      guard shown != nil else { return }
    }
    let grant = shown ?? session.grant
    if let refusal = refusal(of: hello, grant, for: session) {
      return refuse(refusal, request, for: session)
    }
    if let shown { admit(session, with: shown) }
    let particulars = session.particularsMade()
    if let name = hello.device ?? grant?.token.device { attach(session, to: name, particulars) }
    let before = particulars.settings
    var settings = before
    settings.apply(hello)
    // Whatever it says.
    if grant?.token.surface == .public { settings.surface = .public }
    if settings.surface != before.surface { tellWhatWaits(in: session.view) }
    particulars.settings = settings
    setPace(of: session, particulars.settings)
    reply(to: session) {
      $0.greeted(
        device: session.deviceName, role: session.role ?? .device, token: grant?.token.name,
        particulars.settings, ref: request.ref)
    }
    settingsChanged(from: before, for: session)
  }

  /// What others are told of as well, before the answer: behind it, it would come as before to a
  /// session that has been told that it sees otherwise now.
  private func tellWhatWaits(in view: View?) {
    endLowPriorityWindow()
    if let view { flush(view) }
  }

  private func settingsChanged(from before: Settings, for session: Session) {
    let settings = session.settings
    if settings.activitiesEnabled != before.activitiesEnabled {
      activitiesEnabledChanged(to: settings.activitiesEnabled, for: session)
    } else if settings.surface != before.surface, session.view != nil {
      surfaceChanged(for: session)
    } else if let interest = session.interest {
      session.cursorHash = cursorHash(of: session, interest)
    }
  }

  /// Sets how often a device is told of changes, as its `hello` or the configuration says.
  func setPace(of session: Session, _ settings: Settings) {
    let updatesPerHour = settings.updatesPerHour ?? limits.updatesPerHourDefault
    let interval = settings.interval.microseconds / 1_000
    let now = clock.monotonicMilliseconds()
    var pace =
      session.pace
      ?? Pace(updatesPerHour: updatesPerHour, intervalMilliseconds: interval, at: now)
    pace.updatesPerHour = updatesPerHour
    pace.intervalMilliseconds = interval
    session.pace = pace.isUnlimited ? nil : pace
    if session.pace != nil { leaveStep(session) }
    session.retryPaced(at: now)
  }

  /// Why a token can't be shown, or has to be.
  private func refusalOfToken(in hello: Hello, for session: Session) -> Refusal? {
    guard hello.token != nil else {
      guard session.role == nil else { return nil }
      return Refusal(.unauthorized, "a token is needed here", key: "token")
    }
    if session.grant != nil {
      return Refusal(.badValue, "this session has shown a token already", key: "token")
    }
    if session.interest != nil || session.wantsFeedback {
      return Refusal(.badValue, "a token must be shown before subscribe", key: "token")
    }
    return nil
  }

  private func refusal(of hello: Hello, _ grant: Grant?, for session: Session) -> Refusal? {
    let bound = grant?.token.device
    guard let name = hello.device ?? (session.device == nil ? bound : nil) else { return nil }
    if let bound, Name(bound) != Name(session.device?.name ?? name) {
      return Refusal(.forbidden, "this token is for the device \(bound)", key: "device")
    }
    if bound == nil, tokens.isBound(name) {
      return Refusal(.forbidden, "this device's name is bound to its token", key: "device")
    }
    if let device = session.device, Name(device.name) != Name(name) {
      return Refusal(.badValue, "this session is device \(device.name) already", key: "device")
    }
    if session.interest != nil, session.device == nil {
      return Refusal(.badValue, "device must be said before subscribe", key: "device")
    }
    return nil
  }

  /// Gives a session its device; an older session of that device is superseded.
  private func attach(
    _ session: Session, to name: String, _ particulars: Session.Particulars
  ) {
    guard particulars.device == nil else { return }
    let device = devices.device(named: name)
    if let older = device.session, older !== session {
      log.superseded(older, by: session, device.takeovers.note(at: clock.monotonicMilliseconds()))
      sayBye(to: older, because: .superseded)
    }
    device.session = session
    particulars.device = device
  }

  /// Others may look on now, or not any more: what was shown is shown anew.
  private func surfaceChanged(for session: Session) {
    guard let interest = session.interest else { return }
    setInterest(interest, of: session)
    if session.view != nil { beginAnew(session, because: .surface) }
  }

  /// Activities were switched off or on for a whole device.
  private func activitiesEnabledChanged(to enabled: Bool, for session: Session) {
    guard let interest = session.interest else { return }
    endLowPriorityWindow()
    if enabled {
      session.cursorHash = cursorHash(of: session, interest)
      session.particulars?.interest = nil
      enterView(of: interest, session)
      beginAnew(session, because: .enabled)
    } else {
      leaveView(session)
      session.particularsMade().interest = interest
      session.cursorHash = cursorHash(of: session, interest)
      let shown = coordinator.ranking(ofShown: interest, known: Interest(), by: visibleSeq)
      takeAway(shown, from: session, for: .disabled)
    }
    needsFlush(session)
  }
}
