internal import ActivityCore
internal import ServiceManager

/// SIGHUP: the configuration is read again. Nobody is disconnected.
extension Daemon {
  /// Takes over what may change in a running daemon, and names what may not. A configuration with
  /// anything wrong in it changes nothing.
  func reload() {
    guard let source else { return }
    service.reloading(monotonicMicroseconds: clock.monotonicMicroseconds())
    defer { tellReady() }
    do throws(InvalidConfiguration) {
      take(try source.load())
    } catch {
      for problem in error.problems {
        log.line(
          .error, event: "config-rejected", [("at", problem.place), ("message", problem.message)])
      }
    }
  }

  private func take(_ new: Configuration) {
    let changed = Setting.all.filter { $0.text(in: new) != $0.text(in: configuration) }
    var next = new
    for setting in changed where setting.needsRestart {
      setting.copy(from: configuration, to: &next)
    }
    // Listeners stay, and so does what they need.
    next.security = next.security ?? configuration.security
    configuration = next
    hub.limits = next.limits
    handshakes.limits = next.limits
    // There may be room now where there was none.
    resumeAccepting()
    let fields = [
      ("files", new.files), ("changed", changed.filter { !$0.needsRestart }.map(\.name)),
      ("restart-needed", changed.filter(\.needsRestart).map(\.name)),
    ]
    log.line(
      .notice, event: "config-reloaded",
      fields.filter { !$0.1.isEmpty }.map { ($0.0, $0.1.joined(separator: ",")) })
    tellCertificate()
  }
}
