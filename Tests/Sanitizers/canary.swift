import Glibc
import Synchronization

/// Faults that a sanitizer must see, and what is right but hard for it to understand. `.ci/sanitizers`
/// runs each before the tests: a sanitizer that sees nothing has nothing to say about them.
@main
enum Canary {
  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case "race": inTwoThreads(race)
    case "mutex": inTwoThreads(meet)
    case "overflow": overflow()
    case "leak": leak()
    default: exit(64)
    }
  }

  nonisolated(unsafe) private static var unguarded = 0

  private static func race() {
    for _ in 0..<10_000 { unsafe unguarded += 1 }
  }

  private static let guarded = Mutex<[Int]>([])

  /// Guarded as it should be, and so often that the threads meet.
  private static func meet() {
    for number in 0..<200_000 {
      guarded.withLock { numbers in
        if numbers.count == 100 { numbers = [] }
        numbers.append(number)
      }
    }
  }

  /// In this way the scanners read. Without optimisation it is the standard library that reads, which
  /// isn't instrumented.
  private static func overflow() {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 1)
    print(unsafe bytes.load(fromByteOffset: 16, as: UInt8.self))
  }

  private final class Link {
    var next: Link?
  }

  /// Many, since a copy of a reference may be left on the stack.
  private static func leak() {
    let links = (0..<100).map { _ in Link() }
    for link in links { link.next = link }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  private static func inTwoThreads(_ body: @escaping @Sendable () -> Void) {
    let threads = (0..<2).map { _ in
      var thread = pthread_t()
      // Balanced by the thread, which takes the reference.
      let context = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
      unsafe pthread_create(
        &thread, nil,
        { context in
          unsafe Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
          return nil
        }, context)
      return thread
    }
    for thread in threads { pthread_join(thread, nil) }
  }
}
