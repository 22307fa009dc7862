internal import CAllocationCount
internal import Glibc

/// One thing whose cost is measured.
struct Benchmark: Sendable {
  let name: String
  /// What one operation is.
  let operation: String
  /// Makes what is needed, and answers what is to be timed: it carries out some operations and
  /// answers how many.
  let prepare: @Sendable () throws -> () throws -> Int
}

/// What one operation costs.
struct Cost {
  /// Of the processor, in nanoseconds. Of the fastest of several rounds, as is the next: other
  /// programs can only slow a round down.
  var processorTime = Double.infinity
  /// Waiting for the disk included, in nanoseconds.
  var time = Double.infinity
  /// Of the thread that carries it out.
  var allocations = 0.0
}

extension Benchmark {
  private static let rounds = 5

  /// Carries it out in rounds of at least `seconds`.
  func measure(seconds: Double) throws -> Cost {
    let body = try prepare()
    _ = try body()
    var cost = Cost()
    var operations = 0
    let allocated = allocation_count()
    for _ in 0..<Self.rounds {
      let start = Self.now(CLOCK_MONOTONIC)
      let processorStart = Self.now(CLOCK_THREAD_CPUTIME_ID)
      var count = 0
      var elapsed = 0.0
      repeat {
        count += try carryOut(body)
        elapsed = Self.now(CLOCK_MONOTONIC) - start
      } while elapsed < seconds * 1e9
      let worked = Self.now(CLOCK_THREAD_CPUTIME_ID) - processorStart
      cost.time = min(cost.time, elapsed / Double(count))
      cost.processorTime = min(cost.processorTime, worked / Double(count))
      operations += count
    }
    cost.allocations = Double(allocation_count() - allocated) / Double(operations)
    return cost
  }

  /// A function of its own, by which profilers can tell what is measured from what prepares it.
  @inline(never) private func carryOut(_ body: () throws -> Int) rethrows -> Int { try body() }

  /// Nanoseconds.
  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
