import ActivityClient
import TestSupport

/// A daemon on a Unix socket, which can be taken away and come back.
final class LocalDaemon {
  let directory: TemporaryDirectory
  private var process: DaemonProcess?

  init() throws {
    directory = try TemporaryDirectory()
    try start()
  }

  var address: ServerAddress { .unix(path: directory.file("socket")) }

  /// - Parameter state: the name of the folder with its store.
  func start(state: String = "state", waiting: Bool = true) throws {
    let process = try DaemonProcess(
      ["--listen", "unix:" + directory.file("socket"), "--state-dir", directory.file(state)])
    if waiting { _ = try process.waitUntilReady() }
    self.process = process
  }

  func kill() {
    process?.kill()
    process = nil
  }

  /// As a service manager would.
  func stop() throws {
    process?.signal(15)
    _ = try process?.wait()
    process = nil
  }
}

extension Follower {
  /// The next change that is as wanted; those before it are passed over.
  func change(where isWanted: (Change) -> Bool) throws -> Change {
    while let change = try next(within: .seconds(LineClient.patience)) {
      if isWanted(change) { return change }
    }
    throw TestFailure("nothing of the kind came for \(LineClient.patience) s")
  }

  /// Waits until the state is complete; answers of how many events it was made up.
  @discardableResult
  func sync() throws -> Int {
    guard
      case .synced(let count, _) = try change(where: {
        if case .synced = $0 { true } else { false }
      })
    else { return 0 }
    return count
  }
}
