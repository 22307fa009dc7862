internal import ActivityClient
internal import Glibc

/// What goes to the standard output and the standard error.
enum Output {
  /// The columns of the terminal that the output goes to; nil if it goes elsewhere.
  static var columns: Int? {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1,
      unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }

  /// A sentence or a row for a person, with nothing in it that a terminal would obey.
  static func line(_ text: String) { write(TerminalText.safe(text) + "\n", to: STDOUT_FILENO) }

  /// Text of our own, with its line ends.
  static func text(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// A line for a machine.
  static func json(_ object: JSONObject) {
    write(TerminalText.json(object) + "\n", to: STDOUT_FILENO)
  }

  /// How far something is: on a terminal, in place of what was told before.
  static func progress(_ text: String, isTerminal: Bool) {
    write(isTerminal ? "\r\u{1b}[K\(text)" : "\(text)\n", to: STDERR_FILENO)
  }

  /// Something that didn't keep the command from being carried out.
  static func warning(_ text: String) { remark("activityctl: \(text)") }

  /// Something beside the result, which the standard output has for itself.
  static func remark(_ text: String) { write(TerminalText.safe(text) + "\n", to: STDERR_FILENO) }

  /// Why a command came to nothing.
  static func failure(_ failure: Failure, asJSON: Bool) {
    guard !asJSON else {
      var line: JSONObject = ["error": .string(failure.word), "message": .string(failure.message)]
      line["advice"] = failure.advice.map(JSONValue.string)
      return write(TerminalText.json(line) + "\n", to: STDERR_FILENO)
    }
    warning("\(failure.word): \(failure.message)")
    if let advice = failure.advice { remark("  \(advice)") }
  }

  /// The end of a pipe that the output goes to, for waiting: it is ready when nobody reads any more.
  static var pipe: Int32? {
    var status = stat()
    guard unsafe fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
      return nil
    }
    return STDOUT_FILENO
  }

  /// Ends the process, if nobody reads the pipe any more.
  static func endIfUnread() {
    var polled = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    if pipe != nil, unsafe poll(&polled, 1, 0) > 0 { exit(ExitCode.done.rawValue) }
  }

  private static func write(_ text: String, to descriptor: CInt) {
    guard !Descriptor.write(text.utf8, to: descriptor), descriptor == STDOUT_FILENO else { return }
    // Who closes the pipe has seen enough.
    if errno == EPIPE { exit(ExitCode.done.rawValue) }
    // What was asked for isn't there for anybody to see.
    let failure = OutputFile.unwritable("the standard output")
    Output.failure(failure, asJSON: false)
    exit(failure.code.rawValue)
  }
}
