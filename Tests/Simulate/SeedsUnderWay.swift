import Glibc
import Synchronization

/// Which seeds are being run: told when a trap, or somebody's patience, ends the process.
enum SeedsUnderWay {
  private final class Place: Sendable {
    let seed = Atomic<UInt64>(0)
  }

  private static let places = (0..<256).map { _ in Place() }

  static func note(_ seed: UInt64, by worker: Int) {
    places[worker % places.count].seed.store(seed, ordering: .relaxed)
  }

  static func tellAtTheEnd() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGTERM] {
      signal(number) { number in
        SeedsUnderWay.tell(number)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  private static func tell(_ number: CInt) {
    let seeds = places.map { $0.seed.load(ordering: .relaxed) }.filter { $0 != 0 }
    print("ended by signal \(number) amid the seeds \(seeds)")
    print("To see it again: .ci/simulate 1000 SEED, for each of them")
    fflush(nil)
  }
}
