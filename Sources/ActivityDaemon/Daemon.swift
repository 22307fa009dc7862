internal import ActivityCore
internal import ActivityStore
package import EventLoop
internal import Glibc
internal import ServiceManager

/// The running daemon: the hub with its sockets, its clock and its disk.
///
/// Start: lock the state directory, read the store, apply what fell due meanwhile, then listen.
/// Stop: take nothing more, answer what was accepted, commit, say `bye`, close everything.
package final class Daemon {
  /// Changed by `reload` only.
  var configuration: Configuration
  /// Where it is read again; nil if it can't be.
  let source: ConfigurationSource?
  let log: Log
  let hub: Hub
  let clock: SystemClock
  let loop: Loop
  // Held for as long as the daemon lives.
  private let stateDirectory: StateDirectory
  private(set) var storeThread: StoreThread!
  var listeners: [Listener] = []
  /// Those of them where TLS is spoken.
  var secureListeners: [Listener] = []
  private(set) var handshakes: Handshakes!
  /// For when there are no descriptors left.
  let reserve = ReserveDescriptor()
  /// When a connection couldn't be accepted last, in monotonic microseconds; nil if that is over.
  var acceptFailedAt: Int64?
  var arrivals = Meter()
  private var deadline: DeadlineTimer!
  private var window: Ticker!
  private var again: Ticker!
  private(set) var retry: Ticker!
  private var waker: Waker<StoreThread.Report>!
  let service = ServiceNotifier()
  /// What the service manager was told last.
  var serviceStatus = ""
  private var stopping = Stopping.no
  private var exitCode = ExitCode.stopped

  private enum Stopping {
    case no, answering, sayingBye, lingering
  }

  /// Opens the store and the listeners.
  package init(
    _ configuration: Configuration, from source: ConfigurationSource? = nil, log: Log
  ) throws(StartFailure) {
    self.configuration = configuration
    self.source = source
    self.log = log
    let path = try Self.statePath(configuration)
    stateDirectory = try StartFailure.wrapping { () throws(StateDirectoryError) in
      try StateDirectory(path: path)
    }
    // To bring an old store up to date is one step, however long it takes.
    service.extendStart(bySeconds: 600, status: "Opening the store")
    let store = try StartFailure.wrapping { () throws(StoreError) in
      let store = try SQLiteStore(path: path + "/activityd.db")
      if configuration.beginsNewEpoch { try store.newEpoch() }
      return store
    }
    clock = try TimeScale.clock(scale: configuration.timeScale, store: store)
    hub = Hub(
      limits: configuration.limits,
      identity: Hub.Identity(
        epoch: store.identity.epoch, version: Invocation.version,
        timeScale: configuration.timeScale, jitter: { .random(in: 0..<1) },
        makeID: RandomID.make),
      store: store.identity, clock: clock, log: log)
    do throws(UVError) {
      loop = try Loop()
    } catch {
      throw StartFailure(.cannotListen, "the event loop can't be opened: \(error)")
    }
    try recover(store)
    try prepareLoop(store)
    do throws(StartFailure) {
      try listen()
    } catch {
      storeThread.stop()
      close()
      throw error
    }
  }

  static func statePath(_ configuration: Configuration) throws(StartFailure) -> String {
    guard let path = configuration.stateDirectory ?? Places.stateDirectory() else {
      throw StartFailure(.configuration, "there is no HOME; say --state-dir")
    }
    return path
  }

  /// The addresses it listens on, with their true ports.
  package var addresses: [ListenAddress] { listeners.map(\.address) }

  /// The same as they are written, as `tls:127.0.0.1:7443`.
  var addressTexts: [String] {
    listeners.map { listener in
      let isSecure = secureListeners.contains { $0 === listener }
      return isSecure ? listener.address.secureDescription : listener.address.description
    }
  }

  /// For somebody who started it in a terminal: the two commands to type.
  package var greeting: String {
    var text = "activityd \(Invocation.version) is running. In two other terminals, type:\n"
    for address in addressTexts {
      let words = address.split(separator: ":", maxSplits: 1)
      switch words[0] {
      case "tls": text += "  openssl s_client -quiet -connect \(words[1])\n"
      case "unix": text += "  nc -U \(words[1])        # as a backend\n"
      case "tcp" where !words[1].hasPrefix("["):
        let place = words[1].split(separator: ":").joined(separator: " ")
        text += "  nc \(place)        # as a device\n"
      default: break
      }
    }
    return text + "and then {\"op\":\"help\"}. Ctrl-C stops it."
  }

  /// Serves until it is stopped.
  package func run() -> ExitCode {
    log.line(
      .notice, event: "ready", [("listening", addressTexts.joined(separator: ","))])
    tellCertificate()
    tellReady()
    loop.run()
    storeThread.stop()
    close()
    log.line(.notice, event: "stopped")
    return exitCode
  }

  private func close() {
    loop.closeAll()
    loop.run()
    // Everything was closed just now, so this can't fail.
    try? loop.close()
  }
}

// MARK: - Starting

extension Daemon {
  /// Reads the store and applies everything that fell due while nobody was there, with its true due
  /// time, before the first client is served.
  private func recover(_ store: SQLiteStore) throws(StartFailure) {
    var progress = StartProgress(service: service, clock: clock)
    try StartFailure.wrapping { () throws(StoreError) in
      hub.reserveRoom(for: try store.activityCount())
      try store.loadAhead {
        hub.restore($0)
        progress.count(1, "Reading the store")
      }
    }
    hub.finishRestoring()
    let committer = ImmediateCommitter(store: store, hub: hub)
    hub.committer = committer
    while let next = hub.nextDeadline, next <= clock.now() {
      _ = hub.endTurn()
      progress.count(Hub.dueChangesPerBatch, "Catching up with what fell due")
    }
  }

  /// To be called first of all: the process is made ready for what it is to do.
  package static func prepareProcess() {
    // What asks for a reload before there is somebody to carry it out must not end the process.
    SignalWatcher.hold(SIGHUP)
    SignalWatcher.ignoreBrokenPipes()
    // How many connections there may be is for the limits to say.
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private func prepareLoop(_ store: SQLiteStore) throws(StartFailure) {
    do throws(UVError) {
      waker = try Waker(loop: loop) { [unowned self] reports in take(reports) }
      deadline = try DeadlineTimer(
        loop: loop, onFire: { [unowned self] in hub.advance() },
        onClockSet: { [unowned self] in hub.clockWasSet() })
      window = try Ticker(loop: loop) { [unowned self] in hub.endLowPriorityWindow() }
      again = try Ticker(loop: loop) {}
      retry = try Ticker(loop: loop) { [unowned self] in resumeAccepting() }
      let second = try Ticker(loop: loop) { [unowned self] in
        hub.tick()
        storeThread.tick()
        handshakes.tick()
        tellStatus()
      }
      second.start(afterMilliseconds: 1_000, everyMilliseconds: 1_000)
      for signal in [SIGTERM, SIGINT] {
        _ = try SignalWatcher(loop: loop, signal: signal) { [unowned self] in stop() }
      }
      _ = try SignalWatcher(loop: loop, signal: SIGHUP) { [unowned self] in reload() }
      SignalWatcher.deliver(SIGHUP)
      try startWatchdog()
    } catch {
      throw StartFailure(.cannotListen, "the event loop can't be prepared: \(error)")
    }
    // Nothing on this thread touches the store any more: the hub's committer is replaced here.
    storeThread = StoreThread(store: store, reports: waker)
    hub.committer = storeThread
    hub.onUnusableStore = { [unowned self] error in
      log.line(.error, event: "store-unusable", [("message", error.message)])
      exitCode = .storeUnreadable
      loop.stop()
    }
    hub.onBackup = { [unowned self] path in storeThread.backUp(to: path) }
    hub.longestTurnNanoseconds = { [unowned self] in loop.longestTurnNanoseconds }
    handshakes = makeHandshakes()
    hub.handshakes = { [unowned self] in secureListeners.isEmpty ? nil : handshakes.statistics }
    loop.onTurnEnd = { [unowned self] in endTurn() }
  }
}

// MARK: - Running

extension Daemon {
  private func take(_ reports: [StoreThread.Report]) {
    for report in reports {
      switch report {
      case .committed(let result): hub.committed(result)
      case .reloaded(let result): hub.reloaded(result)
      case .backedUp(let result): hub.backedUp(result)
      }
    }
  }

  private func endTurn() {
    let isShakingHands = handshakes.proceed()
    let hasMore = hub.endTurn()
    if hasMore || isShakingHands {
      again.start(afterMilliseconds: 0)
    } else if hub.awaitsCommit, !again.isStarted {
      again.start(afterMilliseconds: UInt64(Hub.commitMilliseconds))
    }
    deadline.arm(atMicroseconds: hub.nextDeadline.map { clock.real($0) })
    if hub.isWindowOpen, !window.isStarted {
      window.start(
        afterMilliseconds: UInt64(hub.limits.lowPriorityWindow.microseconds / 1_000))
    }
    goOnStopping()
  }
}

// MARK: - Stopping

extension Daemon {
  private static let lingerMilliseconds: UInt64 = 200

  /// A second signal changes nothing: the drain is short.
  private func stop() {
    guard stopping == .no else { return }
    log.line(.notice, event: "stopping")
    service.stopping(withinSeconds: Int(configuration.stopWithin.microseconds / 1_000_000) + 30)
    stopping = .answering
    listeners.forEach { $0.close() }
    handshakes.closeAll()
    hub.beginStopping()
    retry.stop()
    stopWithin(milliseconds: UInt64(configuration.stopWithin.microseconds / 1_000))
  }

  private func stopWithin(milliseconds: UInt64) {
    do throws(UVError) {
      let limit = try Ticker(loop: loop) { [unowned self] in loop.stop() }
      limit.start(afterMilliseconds: milliseconds)
    } catch {
      loop.stop()
    }
  }

  private func goOnStopping() {
    switch stopping {
    case .no: break
    case .answering:
      guard hub.isIdle else { return }
      stopping = .sayingBye
      again.start(afterMilliseconds: 0)
    case .sayingBye, .lingering:
      if hub.sessions.isEmpty { return loop.stop() }
      guard stopping == .sayingBye else { return }
      guard hub.sayByeToSome() else { return again.start(afterMilliseconds: 0) }
      guard hub.isDrained else { return }
      // Everybody has been told everything; whoever listens closes now.
      stopping = .lingering
      stopWithin(milliseconds: Self.lingerMilliseconds)
    }
  }
}
