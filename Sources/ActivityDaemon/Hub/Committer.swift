package import ActivityCore

/// Carries batches to the store, off the loop; one thing at a time.
package protocol Committer: AnyObject {
  /// Commits the mutations; `Hub.committed` is told what came of it.
  func commit(_ mutations: [Mutation])

  /// Tells the hub what has come of a commit, if that is over, though the loop hasn't come to it yet.
  func collect()

  /// Reads what changed after a seq; `Hub.reloaded` is told.
  func reload(after seq: Seq)
}

extension Committer {
  /// One that tells at once has nothing to collect.
  package func collect() {}
}
