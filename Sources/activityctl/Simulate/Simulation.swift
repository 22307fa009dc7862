internal import ActivityClient
internal import Glibc

/// Devices, publishers and stories, all served by one thread: what has come is taken as soon as
/// `poll` tells, and what is due is done every few milliseconds.
final class Simulation {
  let plan: SimulationPlan
  private(set) var seen = Measurements()
  let devices: [SimulatedDevice]
  private let publishers: [SimulatedPublisher]
  private var tellings: [Telling]
  /// One clock for all, so that times can be compared.
  private let clock: ServerClock
  private var lookAroundAt = ContinuousClock.now

  private static let tick: Duration = .milliseconds(5)
  /// Followers have things to do that no event tells them of: to come back, to obey deadlines.
  private static let lookAround: Duration = .milliseconds(100)

  init(_ plan: SimulationPlan, at address: ServerAddress, identity: Identity, welcome: Welcome) {
    self.plan = plan
    clock = ServerClock(welcome)
    devices = plan.devices(at: address, as: identity)
    publishers = (0..<plan.publisherCount).map { _ in
      SimulatedPublisher(address, identity: identity)
    }
    let now = ContinuousClock.now
    tellings = (0..<plan.storyCount).map { Telling($0, of: plan, at: now) }
  }

  var connectedCount: Int { devices.count { $0.isConnected } }

  /// The daemon's clock.
  var now: Double { clock.now }

  /// Goes on with the stories and the devices until then.
  func run(until end: ContinuousClock.Instant) throws(Failure) {
    while ContinuousClock.now < end {
      goOnWithStories()
      try turn()
    }
  }

  /// Lets devices read, and answers come, until then; nothing new is told.
  func serve(until end: ContinuousClock.Instant) throws(Failure) {
    while ContinuousClock.now < end { try turn() }
  }

  /// No more writes, and no more interruptions: everybody reads on to the end.
  func calmDown() {
    for device in devices { device.calmDown() }
  }

  var hasUnansweredWrites: Bool { publishers.contains { !$0.isIdle } }

  /// Cancels these, a publisher taking its turn after the other.
  func cancel(_ ids: [String]) {
    for (number, id) in ids.enumerated() {
      publishers[number % publishers.count].write(
        "cancel",
        ["id": .string(id), "timestamp": WriteTime.stamp(clock.now, isUrgent: true)])
    }
  }

  private func goOnWithStories() {
    let now = ContinuousClock.now
    for index in tellings.indices where tellings[index].dueAt <= now {
      let publisher = publishers[tellings[index].number % publishers.count]
      guard publisher.hasRoom else { continue }
      tellings[index].goOn(now: clock.now, timeScale: clock.scale, to: publisher)
    }
  }

  private func turn() throws(Failure) {
    for publisher in publishers { try publisher.turn(&seen) }
    var polled = devices.map { Self.polled($0.descriptor) }
    polled += publishers.map { Self.polled($0.descriptor) }
    let milliseconds = CInt(Self.tick / .milliseconds(1))
    _ = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
    let isLookingAround = ContinuousClock.now >= lookAroundAt
    if isLookingAround { lookAroundAt = .now + Self.lookAround }
    for (index, publisher) in publishers.enumerated()
    where polled[devices.count + index].revents != 0 {
      try publisher.turn(&seen)
    }
    for (index, device) in devices.enumerated()
    where polled[index].revents != 0 || device.isBehind || isLookingAround {
      try device.turn(now: { clock.now }, &seen)
    }
  }

  /// What is waited for; `poll` passes over what has no descriptor.
  private static func polled(_ descriptor: CInt?) -> pollfd {
    pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0)
  }
}

/// Room for many connections: the limit on open files is raised as far as the system allows.
enum OpenFiles {
  /// - Throws: if so many can't be had.
  static func reserve(_ count: Int) throws(Failure) {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    if limit.rlim_cur < rlim_t(count) {
      limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
      _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    guard limit.rlim_cur >= rlim_t(count) else {
      throw Failure(
        .unavailable, "too-many-devices",
        "a process may have \(limit.rlim_cur) files open here, and this takes \(count)",
        advice: "Simulate fewer devices, or raise the limit: ulimit -Hn.")
    }
  }
}
