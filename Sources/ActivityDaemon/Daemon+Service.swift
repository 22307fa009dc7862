internal import EventLoop
internal import ServiceManager

/// What the daemon tells its service manager.
extension Daemon {
  /// Clients are served from now on; also said at the end of a reload.
  func tellReady() {
    serviceStatus = statusNow
    service.ready(status: serviceStatus)
  }

  /// To be called now and then.
  func tellStatus() {
    guard serviceStatus != statusNow else { return }
    serviceStatus = statusNow
    service.status(serviceStatus)
  }

  private var statusNow: String {
    hub.isStoreHealthy
      ? "Listening on \(addressTexts.joined(separator: ", "))"
      : "The store can't be written: changes are refused until it can"
  }

  /// Feeds the watchdog, if there is one, for as long as loop and store thread work.
  func startWatchdog() throws(UVError) {
    guard var watchdog = Watchdog(notifier: service) else { return }
    let interval = watchdog.intervalMilliseconds
    let ticker = try Ticker(loop: loop) { [unowned self] in watchdog.feed(storeThread.progress) }
    ticker.start(afterMilliseconds: 0, everyMilliseconds: interval)
  }
}

/// A start that takes long shows that it goes on, so that it isn't given up.
struct StartProgress {
  private static let stepsBetweenLooks = 1_024
  private static let tellingIntervalMicroseconds: Int64 = 5_000_000
  private static let patienceSeconds = 60

  private let service: ServiceNotifier
  private let clock: any Clock
  private var steps = 0
  private var stepsAtLastLook = 0
  private var toldAt: Int64

  init(service: ServiceNotifier, clock: any Clock) {
    self.service = service
    self.clock = clock
    toldAt = clock.monotonicMicroseconds()
  }

  /// So many more steps are done, of what `task` says in words.
  mutating func count(_ more: Int, _ task: StaticString) {
    steps += more
    // Reading the clock costs as much as a step.
    guard steps - stepsAtLastLook >= Self.stepsBetweenLooks else { return }
    stepsAtLastLook = steps
    let now = clock.monotonicMicroseconds()
    guard now - toldAt >= Self.tellingIntervalMicroseconds else { return }
    toldAt = now
    service.extendStart(
      bySeconds: Self.patienceSeconds, status: "\(task): \(steps) steps so far")
  }
}
