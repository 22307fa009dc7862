internal import Glibc

/// A file system of a few MiB in memory, which only processes see that are started through it.
///
/// It needs no root where users may have namespaces of their own.
package final class SmallDisk {
  private let path: String
  private let processID: pid_t

  /// Whether this machine lets us have one.
  package static let isPossible =
    (try? Shell.run("unshare -rm sh -c 'mount -t tmpfs tmpfs /mnt'").status) == 0

  /// Mounts it on a folder, which is made.
  package init(at path: String, mebibytes: Int) throws {
    self.path = path
    try Files.makeFolder(path)
    let (near, far) = try ChildProcess.pair()
    defer { close(near) }
    do {
      defer { close(far) }
      processID = try ChildProcess.spawn(
        [
          "/usr/bin/unshare", "-rm", "/bin/sh", "-c",
          "mount -t tmpfs -o size=\(mebibytes)m,mode=700 tmpfs \(path) && echo && exec sleep 3600",
        ],
        environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"], output: far)
    }
    // A line comes once it is mounted.
    var byte: UInt8 = 0
    guard unsafe read(near, &byte, 1) == 1 else { throw TestFailure("\(path) isn't mounted") }
  }

  deinit {
    Glibc.kill(processID, SIGKILL)
    _ = ChildProcess.reap(processID)
  }

  /// What a command begins with that sees the file system.
  package var entrance: [String] {
    ["/usr/bin/nsenter", "-t", "\(processID)", "-U", "-m", "--preserve-credentials", "--"]
  }

  private var filler: String { "/proc/\(processID)/root\(path)/filler" }

  /// Takes all the room there is.
  package func fill() throws {
    let descriptor = unsafe open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TestFailure.system(filler) }
    defer { close(descriptor) }
    let zeros = [UInt8](repeating: 0, count: 4_096)
    while unsafe write(descriptor, zeros, zeros.count) > 0 {}
    guard errno == ENOSPC else { throw TestFailure.system(filler) }
  }

  /// Gives the room back.
  package func free() { Files.remove(filler) }

  /// Forbids every write, or allows them again; possible while no file is open for writing.
  package func setReadOnly(_ isReadOnly: Bool) throws {
    let command = "mount -o remount,\(isReadOnly ? "ro" : "rw") \(path)"
    let result = try Shell.run(entrance.joined(separator: " ") + " " + command)
    guard result.status == 0 else { throw TestFailure("\(command): \(result.status)") }
  }
}
