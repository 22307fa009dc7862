internal import Glibc

/// The standard error.
package enum StandardError {
  /// Whether the journal reads it and understands priority prefixes.
  package static var isJournaled: Bool { unsafe getenv("JOURNAL_STREAM") != nil }

  /// Writes a line in one piece. If that fails there is nowhere to say so.
  package static func write(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { _ = unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
