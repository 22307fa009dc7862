internal import ActivityWire

/// Something in the configuration that the daemon won't run with.
package struct ConfigurationProblem: Equatable, Sendable, CustomStringConvertible {
  /// The file, or the option of the command line.
  package var file: String
  /// Counted from 1; nil if it isn't in a line.
  package var line: Int?
  package var message: String

  /// Where it is, as `/etc/activityd/activityd.conf:12`.
  package var place: String { line.map { "\(file):\($0)" } ?? file }

  package var description: String { "\(place): \(message)" }
}

/// Everything that is wrong with a configuration, in the order in which it was read.
package struct InvalidConfiguration: Error, Equatable {
  package var problems: [ConfigurationProblem]
}

/// Why a value can't be taken; the message says so in a sentence that goes on from the key's name,
/// as "takes yes or no, not maybe".
package struct BadValue: Error, Equatable {
  package var message: String

  package init(_ message: String) { self.message = message }
}

extension Spelling {
  /// A question to whoever misspelt a word, or nothing if no known one comes near.
  static func suggestion(for word: String, among known: [String]) -> String {
    let lowercased = known.map { $0.lowercased() }
    guard let nearest = nearest(to: word.lowercased(), among: lowercased),
      let index = lowercased.firstIndex(of: nearest.word)
    else { return "" }
    return "; did you mean \(known[index])?"
  }
}
