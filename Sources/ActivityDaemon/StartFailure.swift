internal import ActivityCore
internal import ActivityStore
internal import Glibc

/// Why the daemon couldn't start, and the code it exits with.
package struct StartFailure: Error {
  package var code: ExitCode
  package var message: String

  init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }

  static func wrapping<Result>(
    _ body: () throws(StateDirectoryError) -> Result
  ) throws(StartFailure) -> Result {
    do throws(StateDirectoryError) {
      return try body()
    } catch {
      if case .inUse = error { throw StartFailure(.stateDirectoryInUse, error.message) }
      throw StartFailure(.storeUnreadable, error.message)
    }
  }

  static func wrapping<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StartFailure) -> Result {
    do throws(StoreError) {
      return try body()
    } catch {
      throw StartFailure(.storeUnreadable, error.message)
    }
  }
}

/// `--time-scale`: the factor and the origin are the store's, for good.
enum TimeScale {
  private static let scaleKey = "time-scale"
  private static let originKey = "time-origin"

  static func clock(scale: Int, store: SQLiteStore) throws(StartFailure) -> SystemClock {
    try check(scale, store)
    do throws(StoreError) {
      let now = SystemClock.realNow()
      if let text = try store.value(for: originKey), let origin = Int64(text) {
        return SystemClock(origin: Instant(microseconds: origin), timeScale: scale)
      }
      guard scale != 1 else { return SystemClock(origin: now, timeScale: 1) }
      try store.setValue(String(scale), for: scaleKey)
      try store.setValue(String(now.microseconds), for: originKey)
      return SystemClock(origin: now, timeScale: scale)
    } catch {
      throw StartFailure(.storeUnreadable, error.message)
    }
  }

  private static func check(_ scale: Int, _ store: SQLiteStore) throws(StartFailure) {
    let stored: String?
    do throws(StoreError) {
      stored = try store.value(for: scaleKey)
    } catch {
      throw StartFailure(.storeUnreadable, error.message)
    }
    if let stored, stored != String(scale) {
      throw StartFailure(
        .configuration, "this store runs at --time-scale \(stored); it can't run at \(scale)")
    }
    if stored == nil, scale != 1, store.identity.lastSeq > 0 {
      throw StartFailure(
        .configuration, "this store holds activities already; it can't be scaled afterwards")
    }
  }
}

/// Names and secrets that nobody can guess: the system's generator asks the kernel.
package enum RandomID {
  /// 24 hexadecimal digits.
  static func make() -> String {
    let digits = Array("0123456789abcdef")
    return String((0..<24).map { _ in digits[Int.random(in: 0..<16)] })
  }

  /// A token: 12 characters to find it by, and 43 that hold 258 bits of secret. None of them
  /// means anything in a URL or a shell.
  package static func makeToken() -> String {
    "\(characters(12)).\(characters(43))"
  }

  private static func characters(_ count: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return String((0..<count).map { _ in alphabet[Int.random(in: 0..<64)] })
  }
}
