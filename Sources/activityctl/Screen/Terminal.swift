internal import ActivityClient
internal import CTerminfo
internal import Glibc
internal import Synchronization

/// The terminal as a screen: rows are painted and keys are read; what was on it before comes back.
///
/// Rows are placed and cells counted here and not by curses, which keeps one character a cell: an
/// emoji of several joined ones has no place there, and what follows it would be shifted on
/// terminals that join them. Here the cursor is placed anew behind whatever terminals measure
/// differently.
final class Terminal {
  private var before = termios()
  private let hasColors: Bool
  private var painted: [StyledRow] = []
  private var output: [UInt8] = []
  private var input = KeyReader()

  /// - Throws: if there is no terminal, or one that can't place its cursor.
  init(colors: Bool) throws(Failure) {
    var status: CInt = 0
    guard unsafe setupterm(nil, STDOUT_FILENO, &status) == 0, unsafe Self.capability("cup") != nil,
      unsafe tcgetattr(STDIN_FILENO, &before) == 0
    else {
      let name = unsafe getenv("TERM").map { unsafe String(cString: $0) } ?? "not set"
      throw Failure(
        .unavailable, "no-screen", "this terminal can't place its cursor (TERM is \(name))",
        advice: "--plain writes lines.")
    }
    hasColors = unsafe tigetnum("colors") >= 8 && colors
    TerminalSignals.watch()
  }

  /// Whether somebody looks at it, and types.
  static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Whether the user hasn't said otherwise.
  static var wantsColors: Bool {
    unsafe getenv("NO_COLOR").map { unsafe $0.pointee == 0 } ?? true
  }

  /// Columns and rows.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Takes the screen over. Keys aren't echoed from here on, and come at once.
  func enter() {
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    unsafe withUnsafeMutableBytes(of: &raw.c_cc) {
      unsafe $0[Int(VMIN)] = 0
      unsafe $0[Int(VTIME)] = 0
    }
    _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
    for name in ["smcup", "smkx", "civis", "rmam"] { send(name) }
    painted = []
    flush()
  }

  /// Gives it back as it was.
  func leave() {
    for name in ["sgr0", "smam", "cnorm", "rmkx", "rmcup"] { send(name) }
    flush()
    _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
  }

  /// Stops the process as Ctrl-Z does, and takes the screen again when it goes on.
  func suspend() {
    leave()
    raise(SIGSTOP)
    enter()
  }

  /// Waits for keys, a signal or that time.
  func waitForKeys(until deadline: ContinuousClock.Instant) {
    let left = ContinuousClock.now.duration(to: deadline)
    var polled = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&polled, 1, left.milliseconds)
  }

  /// The keys pressed since the last time.
  func keys() -> [Key] {
    var bytes: [UInt8] = []
    unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { room in
      let count = unsafe read(STDIN_FILENO, room.baseAddress, room.count)
      if count > 0 { unsafe bytes.append(contentsOf: room.prefix(count)) }
    }
    return input.keys(in: bytes)
  }

  /// Paints the rows that differ from those painted before. There are as many as the screen has.
  func paint(_ rows: [StyledRow]) {
    if painted.count != rows.count {
      painted = []
      send("clear")
    }
    for (index, row) in rows.enumerated() where painted.isEmpty || painted[index] != row {
      paint(row, at: index)
    }
    painted = rows
    flush()
  }

  /// What is on the screen may no longer be what was painted.
  func forget() { painted = [] }
}

// MARK: - What is sent

extension Terminal {
  private func paint(_ row: StyledRow, at index: Int) {
    move(to: index, 0)
    send("sgr0")
    send("el")
    var column = 0
    for run in row.runs {
      set(run.style)
      for character in run.text {
        output += Array(String(character).utf8)
        column += TerminalText.width(character)
        if TerminalText.isUncertain(character) { move(to: index, column) }
      }
    }
    send("sgr0")
  }

  private func set(_ style: Style) {
    send("sgr0")
    if style.isBold { send("bold") }
    if style.isDim { send("dim") }
    if style.isReversed { send("rev") }
    if let color = style.color, hasColors { send("setaf", color.rawValue) }
  }

  private func move(to row: Int, _ column: Int) { send("cup", CInt(row), CInt(column)) }

  /// Sends what this terminal understands by the name, if it understands it.
  private func send(_ name: String, _ first: CInt = 0, _ second: CInt = 0) {
    guard let format = unsafe Self.capability(name),
      let sequence = unsafe terminal_sequence(format, first, second)
    else { return }
    // Where old terminals had to be waited for, there is a `$<5>`.
    var isDelay = false
    for byte in unsafe String(cString: sequence).utf8 {
      if byte == UInt8(ascii: "$") { isDelay = true }
      if !isDelay { output.append(byte) }
      if byte == UInt8(ascii: ">") { isDelay = false }
    }
  }

  private static func capability(_ name: String) -> UnsafePointer<CChar>? {
    // It answers nil if there is none, and -1 if it isn't a string.
    guard let found = unsafe tigetstr(name), Int(bitPattern: found) != -1 else { return nil }
    return unsafe UnsafePointer(found)
  }

  private func flush() {
    // A terminal that is gone ends what is shown on it with a signal.
    _ = Descriptor.write(output, to: STDOUT_FILENO)
    output.removeAll(keepingCapacity: true)
  }
}

/// Signals that concern a screen. They interrupt waiting, and are asked for afterwards.
enum TerminalSignals {
  private static let ended = Atomic(false)
  private static let resized = Atomic(false)

  fileprivate static func watch() {
    // So that they exist before a handler wants them.
    ended.store(false, ordering: .relaxed)
    resized.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      _ = signal(number) { _ in TerminalSignals.ended.store(true, ordering: .relaxed) }
    }
    _ = signal(SIGWINCH) { _ in TerminalSignals.resized.store(true, ordering: .relaxed) }
  }

  /// Whether the process was told to end.
  static var hasEnded: Bool { ended.load(ordering: .relaxed) }

  /// Whether the size has changed since the last time.
  static func takeResized() -> Bool { resized.exchange(false, ordering: .relaxed) }
}
