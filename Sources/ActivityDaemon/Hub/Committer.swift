package import ActivityCore

/// Carries batches to the store, off the loop; one thing at a time.
package protocol Committer: AnyObject {
  /// Commits the mutations; `Hub.committed` is told what came of it.
  func commit(_ mutations: [Mutation])

  /// Reads what changed after a seq; `Hub.reloaded` is told.
  func reload(after seq: Seq)
}
