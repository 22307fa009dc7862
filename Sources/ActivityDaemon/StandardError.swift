internal import Glibc

/// The standard error.
package enum StandardError {
  /// Whether it goes to systemd's journal: `JOURNAL_STREAM` names the very file that it is. A process
  /// may have inherited the variable, and its standard error been redirected since.
  package static var isJournal: Bool {
    var status = stat()
    guard let stream = unsafe getenv("JOURNAL_STREAM"), unsafe fstat(STDERR_FILENO, &status) == 0
    else { return false }
    return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  /// Writes a line in one piece. If that fails there is nowhere to say so.
  package static func write(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { _ = unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
