import ActivityCore
import CPowerLoss
import Glibc
import TestSupport
import Testing

@testable import ActivityStore

/// The store over a disk that fails or loses what it wasn't made to keep, at every place in turn.
@Suite("The store when the power fails")
struct PowerLossTests {
  /// How many of the random trials: `TRIALS` in the environment, 40 without.
  private static let trials = unsafe getenv("TRIALS").flatMap { unsafe UInt64(String(cString: $0)) }

  private let folder: TemporaryDirectory
  private let disk: FailingDisk
  private var path: String { folder.file("store.db") }

  init() throws {
    folder = try TemporaryDirectory()
    disk = FailingDisk(folder.path)
  }

  /// A store whose log is so short that every few commits make a checkpoint.
  private func open() throws -> SQLiteStore {
    let store = try SQLiteStore(path: path)
    store.database.checkpointPages = 24
    return store
  }

  @Test(
    "it has all that it acknowledged, and of the rest each transaction whole or not at all",
    arguments: 0..<(trials ?? 40))
  func powerLoss(seed: UInt64) throws {
    var batches = RandomBatches(seed: seed)
    var model = MemoryStore()
    for life in 0..<4 as Range<UInt64> {
      let random = (seed &* 4 &+ life &+ 1) &* 0x9e37_79b9_7f4a_7c15
      var pending = model
      var store: SQLiteStore? = try open()
      disk.fail(in: Int64(random >> 32) % 120, with: .writing, lasting: true)
      do {
        while true {
          // Lost, it is tried again in the next life: that is what clients do.
          var next = batches
          let batch = next.next()
          pending = model.reopened()
          _ = try pending.commit(batch)
          _ = try store?.commit(batch)
          model = pending
          batches = next
        }
      } catch {
        #expect(error.kind == .unavailable)
      }
      store = nil
      disk.losePower(seed: random)

      let found = try open()
      let held = try items(of: found)
      // As a store it needn't be: the batches are random, and know no rules.
      #expect(try found.database.text("PRAGMA integrity_check") == "ok")
      if try held != items(of: model) {
        try #require(try held == items(of: pending), "seed \(seed)")
        _ = batches.next()
        model = pending
      }
    }
  }

  @Test(
    "one that fails once, anywhere in a commit, loses that commit whole and no other",
    arguments: [FailingDisk.Failure.writing, .full, .syncing])
  func oneFailure(_ failure: FailingDisk.Failure) throws {
    var batches = RandomBatches(seed: 7)
    let model = MemoryStore()
    let store = try open()
    var failures = 0
    for step in 0..<400 as Range<Int64> {
      // Each commit in turn fails one operation later than the one before, or not at all.
      disk.fail(in: step % 40, with: failure, lasting: false)
      var next = batches
      let batch = next.next()
      do {
        _ = try store.commit(batch)
        _ = try model.commit(batch)
        batches = next
      } catch {
        #expect(error.kind == .unavailable)
        failures += 1
      }
      try #require(try items(of: store) == items(of: model), "step \(step)")
    }
    #expect(failures > 20)
    disk.fail(in: .max, with: failure, lasting: false)
    #expect(try store.commit([.trial]).seqBefore == model.commit([.trial]).seqBefore)
    #expect(try store.database.text("PRAGMA integrity_check") == "ok")
  }
}

/// The disk under the SQLite files of one folder.
final class FailingDisk: Sendable {
  enum Failure: CInt {
    // SQLITE_IOERR_WRITE, SQLITE_FULL and SQLITE_IOERR_FSYNC.
    case writing = 778
    case full = 13
    case syncing = 1_034
  }

  private let folder: String

  init(_ folder: String) {
    self.folder = folder
    unsafe power_loss_watch(folder)
  }

  deinit { unsafe power_loss_forget(folder) }

  /// After so many more operations one fails, or all from there on.
  func fail(in count: Int64, with failure: Failure, lasting: Bool) {
    let number = unsafe power_loss_count(folder).addingReportingOverflow(count)
    let last = number.overflow ? Int64.max : number.partialValue
    unsafe power_loss_fail(folder, last, failure.rawValue, lasting ? 1 : 0)
  }

  /// Of what wasn't synced, nobody knows what is there.
  func losePower(seed: UInt64) { unsafe power_loss_strike(folder, seed) }
}
