internal import CFaults
internal import Glibc

/// A disk and a wall clock that misbehave, for one daemon after the other: a library that is
/// preloaded into them does what it is told here.
@safe package final class Faults {
  private let folder: TemporaryDirectory
  private let page: UnsafeMutablePointer<faults>

  package init() throws {
    folder = try TemporaryDirectory()
    let descriptor = unsafe open(folder.file("page"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, ftruncate(descriptor, off_t(MemoryLayout<faults>.size)) == 0 else {
      throw TestFailure.system("a page of faults")
    }
    defer { close(descriptor) }
    let memory = unsafe mmap(
      nil, MemoryLayout<faults>.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      throw TestFailure.system("mmap")
    }
    unsafe page = memory.bindMemory(to: faults.self, capacity: 1)
    try compile()
  }

  deinit { unsafe munmap(page, MemoryLayout<faults>.size) }

  /// With what a daemon is started that these faults befall.
  package var environment: [String] {
    ["LD_PRELOAD=\(folder.file("faults.so"))", "FAULTS=\(folder.file("page"))"]
  }

  private func compile() throws {
    let source = Files.repository("Tests/CFaults/faults.c")
    // The compiler is where the one of Swift is.
    let path = unsafe String(cString: getenv("PATH"))
    let compiler = try ChildProcess.spawn(
      [
        "/usr/bin/env", "clang", "-shared", "-fPIC", "-O1", source, "-o", folder.file("faults.so"),
      ], environment: ["PATH=\(path)"])
    guard ChildProcess.reap(compiler) == 0 else { throw TestFailure("\(source) isn't compiled") }
  }
}

// MARK: - The disk

extension Faults {
  /// The `errno` of every write to a file; 0 for none.
  package var writeError: Int32 {
    get { unsafe faults_get(&page.pointee.write_error) }
    set { unsafe faults_set(&page.pointee.write_error, newValue) }
  }

  /// The `errno` of every sync; 0 for none.
  package var syncError: Int32 {
    get { unsafe faults_get(&page.pointee.sync_error) }
    set { unsafe faults_set(&page.pointee.sync_error, newValue) }
  }

  /// The `errno` of every read of a file; 0 for none.
  package var readError: Int32 {
    get { unsafe faults_get(&page.pointee.read_error) }
    set { unsafe faults_set(&page.pointee.read_error, newValue) }
  }

  /// One write to a file takes no more bytes than this.
  package func limitWrites(to bytes: UInt32) { unsafe page.pointee.write_limit = bytes }
}

// MARK: - The wall clock

extension Faults {
  /// Sets the clock forwards or, below 0, backwards.
  package func stepClock(bySeconds seconds: Int64) {
    unsafe faults_step_clock(page, seconds * 1_000_000_000)
  }

  /// What the clock shows, in seconds since 1970.
  package var now: Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    let nanoseconds = unsafe faults_clock_offset(page) + Int64(time.tv_nsec)
    return Double(time.tv_sec) + Double(nanoseconds) / 1e9
  }
}
