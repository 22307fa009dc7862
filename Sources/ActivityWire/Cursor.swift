package import ActivityCore

/// How far a session has come: a word that is opaque to clients, `epoch:seq:hash`.
package struct Cursor: Hashable, Sendable {
  /// Of the store.
  package var epoch: String
  package var seq: Seq
  /// Of the subscription.
  package var hash: UInt64

  package init(epoch: String, seq: Seq, hash: UInt64) {
    self.epoch = epoch
    self.seq = seq
    self.hash = hash
  }

  /// Reads a cursor as `text` writes it; nil for any other string.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let seq = Seq(parts[1]), let hash = UInt64(parts[2], radix: 16)
    else { return nil }
    self.init(epoch: String(parts[0]), seq: seq, hash: hash)
    guard self.text == text else { return nil }
  }

  /// The cursor on the wire; the hash has 16 digits.
  package var text: String {
    let digits = String(hash, radix: 16)
    return "\(epoch):\(seq):" + String(repeating: "0", count: 16 - digits.count) + digits
  }
}
