import ActivityCore
import ActivityDaemon
import ActivityStore
import ActivityWire
import TestSupport

// MARK: - Steps

extension Simulation {
  /// Does one thing, and lets the daemon take a turn, or not yet.
  func takeStep() throws {
    commitsAtOnce = !random.chance(oneIn: 2)
    switch random.below(200) {
    case 0..<76: try publish()
    case 76..<80: try manageTokens()
    case 80..<112: readSomewhere()
    case 112..<122: throttle()
    case 122..<138: try comeOrGo()
    case 138..<160: try askSomething()
    case 160..<174: try endCommit()
    case 174..<190: try letTimePass()
    case 190: try ask(publishers.first?.client, "clients", "")
    case 191: try ask(publishers.first?.client, "monitor", random.pick(["", #","off":true"#]))
    case 192..<195: try restart()
    case 195: try reload()
    default: try rest()
    }
    if !random.chance(oneIn: 3) { try turn() }
    try look()
  }

  private func readSomewhere() {
    guard !clients.isEmpty else { return }
    let client = random.pick(clients)
    _ = client.read(upTo: random.pick([1, 20, 500, 5_000, .max]), from: hub)
  }

  /// Somebody reads slowly, or not at all, or sends its lines in pieces.
  private func throttle() {
    guard !clients.isEmpty else { return }
    let client = random.pick(clients)
    client.socket.capacity = random.pick([0, 1, 100, 3_000, 40_000, .max, .max])
    client.isFragmenting = random.chance(oneIn: 3)
  }

  /// Lets the daemon work until it has nothing more to do.
  func turn() throws {
    for _ in 0..<10_000 {
      var hasMore = deliver()
      if hub.endTurn() { hasMore = true }
      if readAhead() { hasMore = true }
      try look()
      if commitsAtOnce, committer.isBusy {
        committer.finish(.success, for: hub)
        hasMore = true
      }
      if let deadline = hub.nextDeadline, deadline <= clock.now() { hasMore = true }
      guard hasMore else {
        if hub.isWindowOpen, windowEnd == nil {
          windowEnd = clock.monotonic + limits.lowPriorityWindow.microseconds
        }
        return
      }
    }
    throw TestFailure("the daemon doesn't come to rest")
  }

  private func deliver() -> Bool {
    var hasDelivered = false
    for client in clients where !client.isAbandoned {
      let count = client.isFragmenting ? 1 + random.below(40) : Int.max
      if client.deliver(upTo: count, to: hub) { hasDelivered = true }
    }
    return hasDelivered
  }

  /// Whoever reads at once does so.
  private func readAhead() -> Bool {
    var wasNoticed = false
    for client in clients where client.socket.capacity == .max && !client.isAbandoned {
      if client.read(upTo: .max, from: hub) { wasNoticed = true }
    }
    return wasNoticed
  }
}

// MARK: - Time

extension Simulation {
  private func letTimePass() throws {
    switch random.below(24) {
    case 0: try stepClock(seconds: random.pick([3_600, 5 * 3_600, 5 * 3_600, 25 * 3_600]))
    case 1: try stepClock(seconds: random.pick([-3_600, -25 * 3_600]))
    case 2..<5: try stepClock(seconds: random.pick([-70, -10, 10, 70, 700]))
    case 5: clock.drift = random.pick([-100_000, -500, 0, 500, 100_000])
    case 6: try pass(microseconds: 70_000_000)
    default: try pass(microseconds: random.pick([1, 300_000, 1_000_000, 3_000_000]))
    }
  }

  /// The wall clock is set, or the machine has slept.
  private func stepClock(seconds: Int64) throws {
    clock.step(seconds: seconds)
    try observe(.disturbed(.clockStep))
    try readClock()
    hub.clockWasSet()
    try turn()
  }

  func readClock() throws {
    committer.clockWasRead()
    try observe(.time(clock.now()))
  }

  /// Lets time pass from one thing that happens by itself to the next.
  func pass(microseconds: Int64) throws {
    let end = clock.monotonic + microseconds
    while clock.monotonic < end {
      var next = min(nextTick, windowEnd ?? .max, end)
      if let deadline = hub.nextDeadline {
        next = min(next, clock.monotonic + max(1, (deadline - clock.now()).microseconds))
      }
      clock.pass(microseconds: max(0, next - clock.monotonic))
      try readClock()
      if let windowEnd, windowEnd <= clock.monotonic {
        self.windowEnd = nil
        hub.endLowPriorityWindow()
      }
      if nextTick <= clock.monotonic {
        nextTick += 1_000_000
        hub.tick()
      }
      try turn()
    }
  }
}

// MARK: - Disturbances

extension Simulation {
  /// A commit ends, well or badly.
  private func endCommit() throws {
    let fate: SimulatedCommitter.Fate = random.pick([
      .success, .success, .success, .lost, .landedUnnoticed,
    ])
    if committer.isBusy, fate != .success {
      try observe(.disturbed(fate == .lost ? .lostCommit : .unnoticedCommit))
    }
    committer.finish(fate, for: hub)
    try look()
  }

  /// The configuration is read again.
  private func reload() throws {
    varyLimits()
    try observe(.disturbed(.reload))
  }

  /// The daemon stops, by order or by a crash, and comes back after a while.
  private func restart() throws {
    if random.chance(oneIn: 3) { try stopGently() }
    if committer.isBusy { try observe(.disturbed(.cutCommit)) }
    committer.finish(.cut(landed: random.chance(oneIn: 2)), for: hub)
    try look()
    for client in clients where !client.isAbandoned {
      try observe(.closed(client.party, isAgreed: false))
    }
    clients = []
    deviceClients = deviceNames.map { _ in nil }
    for publisher in publishers { publisher.client = nil }
    clock.pass(microseconds: 1_000_000)
    if random.chance(oneIn: 4) { clock.step(seconds: random.pick([60, 3_600, 9 * 3_600])) }
    committer.reopen()
    try readClock()
    var items: [StoredItem] = []
    committer.store.load { items.append($0) }
    try observe(.reopened(items))
    nextTick = clock.monotonic + 1_000_000
    windowEnd = nil
    if random.chance(oneIn: 2) { varyLimits() }
    openHub()
  }

  private func stopGently() throws {
    hub.beginStopping()
    commitsAtOnce = true
    try turn()
    while !hub.sayByeToSome() { try turn() }
    try turn()
  }

  /// Everybody is connected and reads; nothing fails; and so for as long as it takes.
  private func rest() throws {
    isAtRest = true
    defer { isAtRest = false }
    commitsAtOnce = true
    clock.drift = 0
    allowAnySubscription()
    for client in clients {
      client.socket.capacity = .max
      client.isFragmenting = false
      if client.isAbandoned { hub.readFailed(client.session) }
      _ = client.read(upTo: .max, from: hub)
    }
    try turn()
    for publisher in publishers where publisher.client == nil { try connect(publisher) }
    for second in 0..<300 {
      for device in deviceNames.indices where deviceClients[device] == nil { try connect(device) }
      try pass(microseconds: 1_000_000)
      if second >= 3, standings.allSatisfy(showsTheTruth) { break }
    }
    try observe(.rested(try standings.map(comparedWithNewcomer)))
  }

  private var standings: [Standing] {
    deviceClients.compactMap { client in
      guard let client, let device = client.party.device,
        model.boards[device]?.hasSubscribed ?? false
      else { return nil }
      return Standing(party: client.party, newcomer: nil)
    }
  }

  private func showsTheTruth(_ standing: Standing) -> Bool {
    guard let device = standing.party.device else { return true }
    return model.boards[device]?.shown == model.truth(for: standing.party)
  }

  /// Lets somebody subscribe to the same, without a past.
  private func comparedWithNewcomer(_ standing: Standing) throws -> Standing {
    guard let device = standing.party.device, let board = model.boards[device],
      board.rights.token?.device == nil
    else { return standing }
    var standing = standing
    standing.newcomer = [:]
    guard !board.interest.isEmpty else { return standing }
    let newcomer = connect(.device, scope: "tcp")
    try observe(.connected(newcomer.party))
    var hello = Introduction()
    hello.token = board.rights.token
    hello.surface = board.rights.surface
    try ask(newcomer, "hello", hello.members, effect: .hello(hello))
    try ask(
      newcomer, "subscribe", board.interest.members, effect: .subscribe(board.interest, since: nil))
    var seen = Board()
    for _ in 0..<100 where !newcomer.isSynced {
      _ = newcomer.deliver(upTo: .max, to: hub)
      _ = hub.endTurn()
      _ = newcomer.read(upTo: .max, from: hub)
      for line in try newcomer.takeBoth() {
        try observe(.told(newcomer.party, line, durable: durableSeq))
        seen.hear(line, answering: model.request(line))
      }
    }
    try leave(newcomer)
    try turn()
    standing.newcomer = seen.shown
    return standing
  }
}
