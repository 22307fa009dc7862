internal import Glibc

/// A daemon on a Unix socket of its own, which can be taken away and come back.
package final class LocalDaemon {
  package let directory: TemporaryDirectory
  private let options: [String]
  private var process: DaemonProcess?

  /// - Parameter options: for each time that it is started.
  package init(_ options: [String] = []) throws {
    directory = try TemporaryDirectory()
    self.options = options
    try start()
  }

  package var socketPath: String { directory.file("socket") }

  /// - Parameters:
  ///   - state: the name of the folder with its store.
  ///   - waiting: whether until it serves.
  package func start(state: String = "state", waiting: Bool = true) throws {
    let process = try DaemonProcess(
      ["--listen", "unix:\(socketPath)", "--state-dir", directory.file(state)] + options)
    if waiting { _ = try process.waitUntilReady() }
    self.process = process
  }

  package func signal(_ signal: Int32) { process?.signal(signal) }

  /// As a crash or a loss of power would.
  package func kill() {
    process?.kill()
    process = nil
  }

  /// As a service manager would.
  package func stop() throws {
    process?.signal(SIGTERM)
    _ = try process?.wait()
    process = nil
  }
}
