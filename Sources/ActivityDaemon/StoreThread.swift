package import ActivityCore
internal import ActivityStore
internal import EventLoop
internal import Glibc
internal import ServiceManager
internal import Synchronization

/// The thread that commits: the only one that touches the store once the daemon runs.
///
/// The loop hands it one job after another; what came of a job goes back through a waker.
final class StoreThread: Committer {
  enum Report: Sendable {
    case committed(Result<Committed, StoreError>)
    case reloaded(Result<[StoredItem], StoreError>)
    case backedUp(Result<Backup, BackupError>)
  }

  /// With nothing to commit for so long, the store is tidied up.
  private static let quietSecondsMin = 5

  private let queue: JobQueue
  private let reports: Waker<Report>
  private var thread = pthread_t()
  /// Since the last commit.
  private var quietSeconds = 0

  /// Starts the thread. The caller must not touch the store again until `stop` has returned.
  init(store: SQLiteStore, reports: Waker<Report>) {
    let queue = JobQueue()
    self.queue = queue
    self.reports = reports
    let worker = Worker(store: store, queue: queue, reports: reports.sender)
    // Balanced by the thread, which takes the reference.
    let context = unsafe Unmanaged.passRetained(worker).toOpaque()
    let status = unsafe pthread_create(
      &thread, nil,
      { context in
        unsafe Unmanaged<Worker>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context)
    precondition(status == 0, "the store's thread couldn't be started")
  }

  func commit(_ mutations: [Mutation]) {
    quietSeconds = 0
    queue.put(.commit(mutations))
  }

  func collect() {
    reports.collect()
  }

  /// To be called once a second.
  func tick() {
    quietSeconds += 1
    if quietSeconds == Self.quietSecondsMin { queue.put(.tidyUp) }
  }

  func reload(after seq: Seq) {
    queue.put(.reload(seq))
  }

  /// Copies the store, a piece at a time between the commits; see `StoreCopy` for the path. Nothing
  /// else may be being copied.
  func backUp(to path: String?) {
    queue.put(.backUp(path))
  }

  /// How far it has come with its jobs, for the watchdog.
  var progress: Watchdog.Progress { queue.progress }

  /// Ends the thread after the jobs it has; returns when it has ended.
  func stop() {
    queue.put(.stop)
    pthread_join(thread, nil)
  }
}

private enum Job: Sendable {
  case commit([Mutation])
  case reload(Seq)
  case tidyUp
  case backUp(String?)
  /// Go on with the backup.
  case copyOn
  case stop
}

/// Jobs in order, with a semaphore that counts them.
private final class JobQueue: Sendable {
  private struct State {
    var jobs: [Job] = []
    var progress = Watchdog.Progress(accepted: 0, finished: 0)
  }

  private let state = Mutex(State())
  private let available = Semaphore()

  func put(_ job: Job) {
    state.withLock {
      $0.jobs.append(job)
      $0.progress.accepted += 1
    }
    available.post()
  }

  func take() -> Job {
    available.wait()
    return state.withLock { $0.jobs.removeFirst() }
  }

  /// The job that was taken is done.
  func finish() {
    state.withLock { $0.progress.finished += 1 }
  }

  var progress: Watchdog.Progress { state.withLock { $0.progress } }
}

/// What runs on the thread. Made on the loop's thread, then used on its own only.
private final class Worker {
  private let store: SQLiteStore
  private let queue: JobQueue
  private let reports: Waker<StoreThread.Report>.Sender
  private var copy: StoreCopy?

  init(store: SQLiteStore, queue: JobQueue, reports: Waker<StoreThread.Report>.Sender) {
    self.store = store
    self.queue = queue
    self.reports = reports
  }

  func run() {
    while true {
      switch queue.take() {
      case .commit(let mutations): reports.send(.committed(store.committed(mutations)))
      case .reload(let seq): reports.send(.reloaded(store.changed(after: seq)))
      // What the disk can't do now is made up for later, and told by the next commit.
      case .tidyUp: try? store.checkpointWhenIdle()
      case .backUp(let path):
        backUp { () throws(BackupError) in copy = try StoreCopy(of: store, to: path) }
      case .copyOn: backUp {}
      // A backup that isn't finished leaves nothing behind.
      case .stop: return
      }
      queue.finish()
    }
  }

  /// Goes on with a backup once `prepare` has succeeded. The commits that have come meanwhile are
  /// first before the next piece.
  private func backUp(_ prepare: () throws(BackupError) -> Void) {
    do throws(BackupError) {
      try prepare()
      guard let made = try copy?.advance() else { return queue.put(.copyOn) }
      reports.send(.backedUp(.success(made)))
    } catch {
      reports.send(.backedUp(.failure(error)))
    }
    copy = nil
  }
}

extension Store {
  func committed(_ mutations: [Mutation]) -> Result<Committed, StoreError> {
    do throws(StoreError) {
      return .success(try commit(mutations))
    } catch {
      return .failure(error)
    }
  }

  func changed(after seq: Seq) -> Result<[StoredItem], StoreError> {
    var items: [StoredItem] = []
    do throws(StoreError) {
      try changes(after: seq) { items.append($0) }
      return .success(items)
    } catch {
      return .failure(error)
    }
  }
}

/// Commits at once, on the caller's thread: before the loop runs, and in tests.
package final class ImmediateCommitter: Committer {
  private let store: any Store
  private unowned let hub: Hub

  package init(store: any Store, hub: Hub) {
    self.store = store
    self.hub = hub
  }

  package func commit(_ mutations: [Mutation]) {
    hub.committed(store.committed(mutations))
  }

  package func reload(after seq: Seq) {
    hub.reloaded(store.changed(after: seq))
  }
}
