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

  /// A sentence or a row for a person. What is in it from elsewhere must be safe.
  static func line(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Lines for a machine, each with its end.
  static func text(_ text: String) { write(text, ending: "", to: STDOUT_FILENO) }

  /// A line for a machine. Control characters that JSON allows are escaped all the same: the
  /// output may be a terminal.
  static func json(_ object: JSONObject) {
    var text = ""
    for scalar in object.text.unicodeScalars {
      if (0x7f...0x9f).contains(scalar.value) {
        text += "\\u00" + String(scalar.value, radix: 16)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    line(text)
  }

  /// How far something is: on a terminal, in place of what was told before.
  static func progress(_ text: String, isTerminal: Bool) {
    write(
      isTerminal ? "\r\u{1b}[K\(text)" : text, ending: isTerminal ? "" : "\n", to: STDERR_FILENO)
  }

  /// Something that didn't keep the command from being carried out.
  static func warning(_ text: String) {
    write("activityctl: \(TerminalText.safe(text))", to: STDERR_FILENO)
  }

  /// Something beside the result, which the standard output has for itself.
  static func remark(_ text: String) { write(TerminalText.safe(text), to: STDERR_FILENO) }

  /// Why a command came to nothing.
  static func failure(_ failure: Failure, asJSON: Bool) {
    guard !asJSON else {
      var line: JSONObject = ["error": .string(failure.word), "message": .string(failure.message)]
      line["advice"] = failure.advice.map(JSONValue.string)
      return write(line.text, to: STDERR_FILENO)
    }
    warning("\(failure.word): \(failure.message)")
    if let advice = failure.advice { write("  \(advice)", to: STDERR_FILENO) }
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

  private static func write(_ text: String, ending: String = "\n", to descriptor: CInt) {
    var rest = Array((text + ending).utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      // Who closes the pipe has seen enough.
      if count < 0, errno == EPIPE { exit(ExitCode.done.rawValue) }
      guard count > 0 || errno == EINTR else { return }
      rest = rest.dropFirst(max(count, 0))
    }
  }
}
