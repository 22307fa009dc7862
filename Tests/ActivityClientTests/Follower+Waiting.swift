import ActivityClient
import TestSupport

extension LocalDaemon {
  var address: ServerAddress { .unix(path: socketPath) }
}

extension ScriptedDaemon {
  var address: ServerAddress { .unix(path: socketPath) }
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
