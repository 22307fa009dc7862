internal import ActivityCore
internal import ActivityStore
internal import Glibc
internal import Synchronization

extension SQLiteStore {
  /// `load`, but rows are read by a thread of their own, a little ahead of `receive`: a start with
  /// many activities takes as long as the longer of the two, not as both.
  func loadAhead(_ receive: (StoredItem) -> Void) throws(StoreError) {
    let reader = StoreReader(store: self)
    var thread = pthread_t()
    // Balanced by the thread, which takes the reference.
    let context = unsafe Unmanaged.passRetained(reader).toOpaque()
    let status = unsafe pthread_create(
      &thread, nil,
      { context in
        unsafe Unmanaged<StoreReader>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context)
    precondition(status == 0, "the store's reader couldn't be started")
    defer { pthread_join(thread, nil) }
    while true {
      switch reader.take() {
      case .items(let items): for item in items { receive(item) }
      case .end(let error):
        guard let error else { return }
        throw error
      }
    }
  }
}

/// What runs on the thread. The store is used by it alone until it has ended.
private final class StoreReader {
  enum Portion: Sendable {
    case items([StoredItem])
    /// Nothing more comes; nil unless reading failed.
    case end(StoreError?)
  }

  private static let itemsPerPortion = 256
  /// So many portions wait at most, so that what was read is still in the processor's caches when it
  /// is taken.
  private static let portionsAhead = 8

  private let store: SQLiteStore
  private let portions = Mutex<[Portion]>([])
  private let available = Semaphore()
  private let room = Semaphore(portionsAhead)

  init(store: SQLiteStore) {
    self.store = store
  }

  func run() {
    var items: [StoredItem] = []
    var failure: StoreError?
    do throws(StoreError) {
      try store.load { item in
        items.append(item)
        guard items.count == Self.itemsPerPortion else { return }
        put(.items(items))
        items.removeAll()
        items.reserveCapacity(Self.itemsPerPortion)
      }
    } catch {
      failure = error
    }
    put(.items(items))
    put(.end(failure))
  }

  private func put(_ portion: Portion) {
    room.wait()
    portions.withLock { $0.append(portion) }
    available.post()
  }

  func take() -> Portion {
    available.wait()
    defer { room.post() }
    return portions.withLock { $0.removeFirst() }
  }
}
