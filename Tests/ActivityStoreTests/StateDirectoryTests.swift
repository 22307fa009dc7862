import ActivityStore
import Glibc
import TestSupport
import Testing

@Suite("The state directory")
struct StateDirectoryTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test("is made with those above it, for its owner alone")
  func made() throws {
    let directory = try StateDirectory(path: folder.file("a/b//c/"))
    #expect(mode(folder.file("a")) == 0o700)
    #expect(mode(folder.file("a/b")) == 0o700)
    #expect(mode(folder.file("a/b/c")) == 0o700)
    #expect(mode(folder.file("a/b/c/activityd.lock")) == 0o600)
    _ = try SQLiteStore(path: directory.databasePath)
    #expect(exists(folder.file("a/b/c/activityd.db")))
  }

  @Test("can't be had twice in one process, but again when it is let go")
  func twice() throws {
    let path = folder.path
    do {
      let directory = try StateDirectory(path: path)
      let error = #expect(throws: StateDirectoryError.self) { _ = try StateDirectory(path: path) }
      #expect(error == .inUse(path, holder: getpid()))
      #expect(error?.message.contains("\(getpid())") == true)
      _ = directory.path
    }
    _ = try StateDirectory(path: path)
  }

  @Test("is let go though a process that is being started still has its descriptors")
  func letGoBesideChild() throws {
    let path = folder.path
    var copies: [CInt] = []
    do {
      let directory = try StateDirectory(path: path)
      // As after a fork and before its exec: the same opened file once more.
      copies = (3..<CInt(16_384)).filter(isLock).map { dup($0) }
      _ = directory.path
    }
    defer { copies.forEach { close($0) } }
    #expect(!copies.isEmpty)
    _ = try StateDirectory(path: path)
  }

  /// Whether this is the opened lock of the folder.
  private func isLock(_ descriptor: CInt) -> Bool {
    var (open, file) = (stat(), stat())
    guard unsafe fstat(descriptor, &open) == 0,
      unsafe stat(folder.file("activityd.lock"), &file) == 0
    else { return false }
    return open.st_dev == file.st_dev && open.st_ino == file.st_ino
  }

  @Test("can't be had by another process")
  func otherProcess() async throws {
    let path = folder.path
    let holder = getpid()
    let directory = try StateDirectory(path: path)
    await #expect(processExitsWith: .exitCode(75)) {
      [path = path as String, holder = holder as pid_t] in
      do throws(StateDirectoryError) {
        _ = try StateDirectory(path: path)
      } catch { exit(error == .inUse(path, holder: holder) ? 75 : 1) }
    }
    _ = directory.path
  }

  @Test("is free again when its holder was killed")
  func killedHolder() async throws {
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let directory = try StateDirectory(path: path)
      kill(getpid(), SIGKILL)
      _ = directory.path
    }
    _ = try StateDirectory(path: path)
  }

  @Test("whose path is a file is refused with that path")
  func isFile() throws {
    try Files.write([1], to: folder.file("file"))
    #expect(throws: StateDirectoryError.failed(folder.file("file/x"), ENOTDIR)) {
      _ = try StateDirectory(path: folder.file("file/x"))
    }
  }
}
