import Glibc
import TestSupport

/// A terminal with `activityctl` in it, whose screen can be looked at.
final class TmuxScreen {
  static let isInstalled = (try? Shell.run("command -v tmux").status == 0) ?? false

  private let directory = Result { try TemporaryDirectory() }
  private let control: Control

  /// Types a line of shell into a terminal of this size, where the screen said `before` before.
  init(_ line: String, of control: Control, columns: Int, rows: Int) throws {
    self.control = control
    let script = try directory.get().file("script")
    try Files.write(
      """
      export ACTIVITYD_SERVER=unix:\(control.daemon.socketPath)
      activityctl() { \(Control.executable) "$@"; }
      echo before
      settings=$(stty -g)
      \(line)
      echo "left with $?"
      [ "$(stty -g)" = "$settings" ] && echo settings as before
      sleep 1000
      """, to: script)
    try tmux("-f /dev/null new-session -d -x \(columns) -y \(rows) bash \(script)")
  }

  deinit { _ = try? tmux("kill-server") }

  @discardableResult
  func tmux(_ command: String) throws -> [String] {
    let socket = try directory.get().file("tmux")
    let result = try Shell.run(
      "unset TMUX; export LC_ALL=C.UTF-8 TERM=xterm-256color; tmux -u -S \(socket) \(command)")
    guard result.status == 0 else { throw TestFailure("tmux \(command): \(result)") }
    return result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  func press(_ keys: String...) throws { try tmux("send-keys \(keys.joined(separator: " "))") }

  /// The rows as they are now.
  ///
  /// - Parameter styled: with the sequences that make colours.
  func rows(styled: Bool = false) throws -> [String] {
    try tmux("capture-pane -p\(styled ? "e" : "")")
  }

  /// Looks until the screen is as wanted; answers its rows.
  @discardableResult
  func wait(_ wanted: String, until isAsWanted: ([String]) -> Bool) throws -> [String] {
    let deadline = ContinuousClock.now + .seconds(LineClient.patience)
    var rows: [String] = []
    while ContinuousClock.now < deadline {
      rows = try self.rows()
      if isAsWanted(rows) { return rows }
      usleep(50_000)
    }
    throw TestFailure("not \(wanted):\n\(rows.joined(separator: "\n"))")
  }

  /// Looks until each of these texts is on the screen.
  @discardableResult
  func wait(for texts: String...) throws -> [String] {
    try wait("with \(texts)") { rows in
      texts.allSatisfy { text in rows.contains { $0.contains(text) } }
    }
  }
}
