import EventLoop
import Glibc
import Testing

/// Signals concern the whole process, so each of these runs in one of its own.
@Suite struct SignalWatcherTests {
  @Test("a signal calls its own handler only")
  func watching() async {
    await #expect(processExitsWith: .exitCode(7)) {
      unblockSignals()
      let loop = try Loop()
      var signals: [CInt] = []
      var watchers: [SignalWatcher] = []
      for signal in [SIGTERM, SIGINT, SIGHUP] {
        watchers.append(
          try SignalWatcher(loop: loop, signal: signal) {
            signals.append(signal)
            if signals.count == 2 { loop.closeAll() } else { raise(SIGINT) }
          })
      }
      raise(SIGHUP)
      loop.run()
      try loop.close()
      exit(signals == [SIGHUP, SIGINT] ? 7 : 1)
    }
  }

  @Test("after the watcher is closed a signal has its default action again")
  func closing() async {
    await #expect(processExitsWith: .signal(SIGUSR2)) {
      unblockSignals()
      let loop = try Loop()
      let watcher = try SignalWatcher(loop: loop, signal: SIGUSR2) {}
      watcher.close()
      loop.run()
      try loop.close()
      raise(SIGUSR2)
    }
  }

  @Test("a signal that can't be caught is refused")
  func impossible() throws {
    let loop = try Loop()
    let error = #expect(throws: UVError.self) {
      _ = try SignalWatcher(loop: loop, signal: SIGKILL) {}
    }
    #expect(error?.errno == EINVAL)
    loop.run()
    try loop.close()
  }

  @Test("a broken pipe is an error, not the end")
  func brokenPipe() async {
    await #expect(processExitsWith: .exitCode(7)) {
      unblockSignals()
      SignalWatcher.ignoreBrokenPipes()
      raise(SIGPIPE)
      exit(7)
    }
  }
}

/// Tests run on threads that may be spared signals.
private func unblockSignals() {
  var none = sigset_t()
  unsafe sigemptyset(&none)
  unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
}
