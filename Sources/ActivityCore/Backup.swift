/// A copy of a store, whole and safe on disk.
package struct Backup: Equatable, Sendable {
  package var path: String
  package var bytes: Int64
  /// The newest change that is in it.
  package var seq: Seq

  package init(path: String, bytes: Int64, seq: Seq) {
    self.path = path
    self.bytes = bytes
    self.seq = seq
  }
}

/// Why no copy was made. Nothing is left behind.
package struct BackupError: Error, Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// No file can be made where it was to be.
    case place
    /// The disk is full, or something else failed.
    case failed
  }
  package var kind: Kind
  /// For a person; never holds content.
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
