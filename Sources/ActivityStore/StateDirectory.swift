import Glibc

/// The folder that holds a daemon's state, locked against a second daemon.
///
/// The lock is held as long as this object lives, and ends with the process in any case.
package final class StateDirectory {
  package let path: String
  private let lock: CInt

  /// The store's file.
  package var databasePath: String { path + "/activityd.db" }

  /// Makes the folder, and those above it, for their owner only (0700) unless they exist.
  package init(path: String) throws(StateDirectoryError) {
    self.path = path
    try Self.create(path)
    let lockPath = path + "/activityd.lock"
    let descriptor = unsafe open(lockPath, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .failed(lockPath, errno) }
    // flock belongs to the opened file, not to the process: a second lock in this one fails too.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      let holder = Self.holder(descriptor)
      close(descriptor)
      throw code == EWOULDBLOCK ? .inUse(path, holder: holder) : .failed(lockPath, code)
    }
    lock = descriptor
    writeHolder()
  }

  /// Looks at a folder that is there, to read it only: no daemon may use it meanwhile. Nothing is
  /// made or written.
  package init(reading path: String) throws(StateDirectoryError) {
    self.path = path
    let lockPath = path + "/activityd.lock"
    lock = unsafe open(lockPath, O_RDONLY | O_CLOEXEC)
    // Without one, no daemon has ever been here.
    guard lock >= 0 else {
      if errno == ENOENT { return }
      throw .failed(lockPath, errno)
    }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      let holder = Self.holder(lock)
      close(lock)
      throw code == EWOULDBLOCK ? .inUse(path, holder: holder) : .failed(lockPath, code)
    }
  }

  // The file stays: removed, another daemon could lock a new one while this one's is still held.
  // Unlocked, and not only closed: a process that is being started has its descriptors until it
  // becomes another program.
  deinit {
    guard lock >= 0 else { return }
    flock(lock, LOCK_UN)
    close(lock)
  }

  private static func create(_ path: String) throws(StateDirectoryError) {
    let bytes = Array(path.utf8)
    let slash = UInt8(ascii: "/")
    for end in bytes.indices.dropFirst() + [bytes.count]
    where end == bytes.count || bytes[end] == slash {
      let folder = String(decoding: bytes[..<end], as: UTF8.self)
      guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
        throw .failed(folder, errno)
      }
    }
  }

  /// Says who holds the lock. Only a help for people: the lock counts, not its text.
  private func writeHolder() {
    let text = Array("\(getpid())\n".utf8)
    guard ftruncate(lock, 0) == 0 else { return }
    _ = unsafe text.withUnsafeBytes { unsafe pwrite(lock, $0.baseAddress, $0.count, 0) }
  }

  private static func holder(_ descriptor: CInt) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
    }
    guard count > 0 else { return nil }
    return Int32(String(decoding: bytes[..<count].prefix { $0 != 10 }, as: UTF8.self))
  }
}

/// Why a state directory can't be used.
package enum StateDirectoryError: Error, Equatable, Sendable {
  /// Another daemon has it; its process id if it could be read.
  case inUse(String, holder: Int32?)
  /// A system call failed on a path, with this `errno`.
  case failed(String, Int32)

  /// One sentence for a person.
  package var message: String {
    switch self {
    case .inUse(let path, let holder):
      "\(path) is in use by another activityd" + (holder.map { " (process \($0))" } ?? "")
    case .failed(let path, let code):
      "\(path): \(unsafe String(cString: strerror(code)))"
    }
  }
}
