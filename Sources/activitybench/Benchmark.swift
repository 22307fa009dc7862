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
  /// Of the fastest of several rounds: other programs can only slow a round down.
  var nanoseconds: Double
  /// Of the thread that carries it out.
  var allocations: Double
}

extension Benchmark {
  private static let rounds = 5

  /// Carries it out in rounds of at least `seconds`.
  func measure(seconds: Double) throws -> Cost {
    let body = try prepare()
    _ = try body()
    var best = Double.infinity
    var operations = 0
    let allocated = allocation_count()
    for _ in 0..<Self.rounds {
      let start = Self.now()
      var count = 0
      var elapsed = 0.0
      repeat {
        count += try body()
        elapsed = Self.now() - start
      } while elapsed < seconds * 1e9
      best = min(best, elapsed / Double(count))
      operations += count
    }
    return Cost(
      nanoseconds: best,
      allocations: Double(allocation_count() - allocated) / Double(operations))
  }

  /// Monotonic nanoseconds.
  private static func now() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
