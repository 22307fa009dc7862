internal import CSystemd

/// The journal of systemd, where a line has fields that can be searched by.
package enum Journal {
  /// Writes an entry; its fields' names consist of `A`–`Z`, `0`–`9` and `_`, their values of anything.
  ///
  /// - Returns: Whether it was taken.
  package static func send(_ fields: [(name: String, value: String)]) -> Bool {
    var bytes: [UInt8] = []
    var lengths: [Int] = []
    for (name, value) in fields {
      let start = bytes.count
      bytes.append(contentsOf: name.utf8)
      bytes.append(UInt8(ascii: "="))
      bytes.append(contentsOf: value.utf8)
      lengths.append(bytes.count - start)
    }
    return unsafe csystemd_journal_send(bytes, lengths, lengths.count) == 0
  }
}
