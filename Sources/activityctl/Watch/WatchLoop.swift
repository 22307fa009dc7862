internal import ActivityClient
internal import Glibc

/// Brings together what comes from the daemon, the keys and the passing of time, on a screen.
final class WatchLoop {
  private let follower: Follower
  private let terminal: Terminal
  private var screen: WatchScreen

  /// As often the clocks on the screen are looked at, and no more than so much is taken in between.
  private static let tick: Duration = .milliseconds(250)
  private static let changesMax = 1_000

  init(_ follower: Follower, on terminal: Terminal) {
    self.follower = follower
    self.terminal = terminal
    screen = WatchScreen(server: follower.address.description)
  }

  /// Goes on until it is left. However it ends, the terminal is as it was before.
  func run() throws(Failure) {
    terminal.enter()
    defer { terminal.leave() }
    do throws(ClientError) {
      while !TerminalSignals.hasEnded {
        paint()
        try takeChanges()
        for key in terminal.keys() {
          guard let wish = screen.press(key, follower.board.activities) else { continue }
          if wish == .quit { return }
          carryOut(wish)
        }
        if TerminalSignals.takeResized() { terminal.forget() }
      }
    } catch {
      throw Failure(error)
    }
  }

  private func paint() {
    let size = terminal.size
    terminal.paint(
      screen.rows(
        follower.board.activities, now: follower.clock.now, columns: size.columns, count: size.rows)
    )
  }

  private func takeChanges() throws(ClientError) {
    var wait = Self.tick
    for _ in 0..<Self.changesMax {
      guard let change = try follower.next(within: wait, or: STDIN_FILENO) else { return }
      screen.take(change, now: follower.clock.now)
      wait = .zero
    }
  }

  private func carryOut(_ wish: WatchScreen.Wish) {
    do throws(ClientError) {
      switch wish {
      case .quit: break
      case .suspend: terminal.suspend()
      case .redraw: terminal.forget()
      case .dismiss(let id): try follower.dismiss(id)
      case .act(let name, let id): try follower.act(name, on: id)
      }
    } catch {
      screen.tell(error.description)
    }
  }
}
