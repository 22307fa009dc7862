import Glibc
import TestSupport

/// A place where a daemon lives: its state directory and the path of its socket. Daemons come and
/// go there, one after the other.
final class Installation {
  let folder: TemporaryDirectory
  let statePath: String
  let socketPath: String
  /// What befalls its daemons, if anything does.
  let faults: Faults?
  /// The file system of its state, if it has one of its own.
  private(set) var disk: SmallDisk?

  init(faults: Faults? = nil) throws {
    self.faults = faults
    folder = try TemporaryDirectory()
    statePath = folder.file("state")
    socketPath = folder.file("socket")
  }

  /// One whose state has no more room than so many MiB.
  init(mebibytes: Int) throws {
    faults = nil
    folder = try TemporaryDirectory()
    statePath = folder.file("state")
    socketPath = folder.file("socket")
    disk = try SmallDisk(at: statePath, mebibytes: mebibytes)
  }

  /// Starts a daemon and waits until it serves.
  func start(_ options: String...) throws -> RunningDaemon {
    try RunningDaemon(launch(options), at: self)
  }

  /// Starts a daemon with these settings, each as `Name=value`, under `[Limits]`.
  func start(limits: [String]) throws -> RunningDaemon {
    let path = folder.file("activityd.conf")
    try Files.write("[Limits]\n" + limits.joined(separator: "\n") + "\n", to: path)
    return try start("--config", path)
  }

  /// Starts a daemon that isn't expected to serve; answers its end and what it said.
  func failToStart(_ options: String...) throws -> (end: DaemonProcess.End, log: String) {
    let process = try launch(options)
    let end = try process.wait()
    return (end, process.log.joined(separator: "\n"))
  }

  /// Starts a daemon, and doesn't wait.
  func launch(_ options: [String]) throws -> DaemonProcess {
    var arguments = ["--state-dir", statePath]
    if !options.contains("--listen") {
      arguments += ["--listen", "tcp:127.0.0.1:0", "--listen", "unix:\(socketPath)"]
    }
    return try DaemonProcess(
      arguments + options, environment: faults?.environment ?? [], entrance: disk?.entrance ?? [])
  }
}

/// A daemon that serves, on a port of its own and on a Unix socket.
final class RunningDaemon {
  let process: DaemonProcess
  let port: UInt16
  /// Where it lives, which is kept for as long as it does.
  let place: Installation

  init(_ process: DaemonProcess, at place: Installation) throws {
    let addresses = try process.waitUntilReady()
    guard let address = addresses.first(where: { $0.hasPrefix("tcp:") }),
      let port = address.split(separator: ":").last.flatMap({ UInt16($0) })
    else { throw TestFailure("no port in \(addresses)") }
    self.process = process
    self.port = port
    self.place = place
  }

  var socketPath: String { place.socketPath }

  /// A client over the Unix socket: an admin, as whom the daemon runs. Its banner has been read.
  func publisher() throws -> LineClient {
    let client = try LineClient(path: socketPath)
    _ = try client.next("welcome")
    return client
  }

  /// A client over TCP. Its banner has been read.
  func device() throws -> LineClient {
    let client = try LineClient(port: port)
    _ = try client.next("welcome")
    return client
  }

  /// Stops it as an operator would, and waits until it is gone.
  func stop() throws -> DaemonProcess.End {
    process.signal(SIGTERM)
    return try process.wait()
  }
}
