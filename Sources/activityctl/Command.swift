/// Something that `activityctl` can be told to do. The parser, the help, the completions and the
/// manual page are all made from these.
struct Command: Sendable {
  /// A word, or two where several commands do something about the same.
  let name: String
  /// One line, beginning with a verb.
  let summary: String
  /// More, for its own help: whole sentences.
  var details = ""
  /// What stands behind the name without a flag before it: its name in the help.
  var operand: Operand?
  var options: [Option] = []
  let run: @Sendable (Arguments) throws(Failure) -> Void
}

/// What a command is given without a flag before it.
struct Operand: Sendable {
  let name: String
  var isFile = false
  var isRequired = true

  /// As it is shown in the help.
  var synopsis: String { isRequired ? name : "[\(name)]" }
}

/// A flag, mostly with a value.
struct Option: Sendable {
  /// What a flag is followed by.
  enum Kind: Sendable, Equatable {
    /// Nothing.
    case flag
    case text(String)
    /// Another one of these each time.
    case names(String)
    case number(String)
    /// A length of time, as `5m`; sent as seconds.
    case span
    /// A part of a whole, as `5%`; kept as 0 to 1.
    case share
    case choice([String])
    /// One or more `key=value`.
    case pairs
    case json
    case file
  }

  /// Without its two hyphens.
  let name: String
  /// The key of the request that it sets, if it does no more than that.
  var key: String?
  let kind: Kind
  let summary: String

  init(_ name: String, key: String? = nil, _ kind: Kind, _ summary: String) {
    self.name = name
    self.key = key
    self.kind = kind
    self.summary = summary
  }

  /// What stands for the value in the help; nil if there is none.
  var metavariable: String? {
    switch kind {
    case .flag: nil
    case .text(let name), .names(let name), .number(let name): name
    case .span: "TIME"
    case .share: "PERCENT"
    case .choice(let words): words.joined(separator: "|")
    case .pairs: "KEY=VALUE…"
    case .json: "JSON"
    case .file: "FILE"
    }
  }

  /// As it is shown in the help.
  var synopsis: String { "--\(name)" + (metavariable.map { " \($0)" } ?? "") }
}
