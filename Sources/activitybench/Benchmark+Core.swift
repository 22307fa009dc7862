internal import ActivityCore

/// The rules, without any I/O.
extension Benchmark {
  static let ofCore: [Benchmark] = [
    Benchmark(name: "core-update", operation: "deciding an update and making it visible") {
      let desk = Desk(activities: 1_024)
      let updates = (0..<2).map(Sample.update)
      var turn = 0
      return {
        turn += 1
        for number in 0..<512 { desk.update(number * 2 % 1_024, updates[turn % 2]) }
        desk.land()
        return 512
      }
    },
    Benchmark(name: "core-start", operation: "deciding a start and making it visible") {
      let start = Sample.start(7)
      return {
        let desk = Desk(activities: 0)
        for number in 0..<512 { desk.decide(.start(start), number) }
        desk.land()
        return 512
      }
    },
    Benchmark(name: "core-restore", operation: "taking an activity from the store") {
      let activities = (0..<10_000).map(Sample.activity)
      return {
        let coordinator = Coordinator(limits: Limits())
        for activity in activities { coordinator.restore(activity) }
        coordinator.finishRestoring()
        return activities.count
      }
    },
    Benchmark(name: "core-shown", operation: "finding an activity of 100,000 in order of relevance")
    {
      let desk = Desk(activities: 100_000)
      var interest = Interest()
      interest.channels = ["bench"]
      return {
        let ranking = desk.coordinator.ranking(of: interest)
        _ = ranking.gather(.max)
        var count = 0
        while ranking.popFirst() != nil { count += 1 }
        return count
      }
    },
    Benchmark(name: "core-deadline-move", operation: "moving one of a million deadlines") {
      let activity = Sample.activity(7)
      let items = (0..<1_000_000).map { _ in Row(activity) }
      var queue = DeadlineQueue()
      var scatter = Scatter()
      for item in items {
        queue.set(item, to: Instant(seconds: Int64(scatter.next(below: 100_000))))
      }
      return {
        for _ in 0..<1_000 {
          let item = items[scatter.next(below: items.count)]
          queue.set(item, to: Instant(seconds: Int64(scatter.next(below: 100_000))))
        }
        return 1_000
      }
    },
    Benchmark(
      name: "core-deadline-fire",
      operation: "adding one of a million deadlines, and taking the first out"
    ) {
      let activity = Sample.activity(7)
      var queue = DeadlineQueue()
      var scatter = Scatter()
      for _ in 0..<1_000_000 {
        queue.set(Row(activity), to: Instant(seconds: Int64(scatter.next(below: 100_000))))
      }
      return {
        for _ in 0..<1_000 {
          guard let item = queue.first(dueAt: .distantFuture) else { break }
          queue.set(item, to: nil)
          queue.set(item, to: Instant(seconds: Int64(scatter.next(below: 100_000))))
        }
        return 1_000
      }
    },
  ]
}

/// Plays the store: gives out seqs and lands what was decided.
private final class Desk {
  let coordinator = Coordinator(limits: Limits())
  private var mutations: [Mutation] = []
  private var seq: Seq

  /// With so many activities already there.
  init(activities count: Int) {
    for number in 0..<count { coordinator.restore(Sample.activity(number)) }
    coordinator.finishRestoring()
    seq = Seq(count)
  }

  func update(_ number: Int, _ update: Update) { decide(.update(update), number) }

  func decide(_ command: Command, _ number: Int) {
    _ = coordinator.decide(
      command, id: Sample.id(number), actor: "tcp:127.0.0.1:7420", at: Sample.now,
      into: &mutations)
  }

  func land() {
    let batch = coordinator.batch
    coordinator.batch += 1
    for mutation in mutations {
      guard case .transition(let transition) = mutation else { continue }
      seq += 1
      _ = coordinator.land(transition, seq: seq, batch: batch)
    }
    coordinator.finishLanding()
    mutations.removeAll(keepingCapacity: true)
  }
}
