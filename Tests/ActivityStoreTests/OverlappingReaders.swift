import Glibc
import Synchronization

@testable import ActivityStore

/// A thread with two readers, of which at any time one is in the middle of a transaction.
final class OverlappingReaders {
  private let work: Work
  private let thread: pthread_t

  init(path: String) throws {
    work = Work(path: path)
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(work).toOpaque()
    let status = unsafe pthread_create(
      &thread, nil,
      { context in
        unsafe Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context)
    precondition(status == 0, "no thread")
    self.thread = thread
  }

  /// Ends them; answers how many transactions there were.
  func stop() -> Int {
    work.isDone.withLock { $0 = true }
    pthread_join(thread, nil)
    return work.count.withLock(\.self)
  }

  private final class Work: Sendable {
    let path: String
    let isDone = Mutex(false)
    let count = Mutex(0)

    init(path: String) { self.path = path }

    func run() {
      do throws(SQLiteError) {
        let readers = [try Database(path: path), try Database(path: path)]
        while !isDone.withLock(\.self) {
          let turn = count.withLock { count in
            count += 1
            return count
          }
          let (entering, leaving) = (readers[turn % 2], readers[(turn + 1) % 2])
          try entering.execute("BEGIN; SELECT count(*) FROM activities")
          if turn > 1 { try leaving.execute("COMMIT") }
        }
      } catch {
        preconditionFailure(error.message)
      }
    }
  }
}
