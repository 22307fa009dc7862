import EventLoop
import Glibc
import TestSupport
import Testing

@Suite struct SocketFileTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("socket") }

  init() throws { directory = try TemporaryDirectory() }

  /// What is in it.
  private var names: [String] { Files.names(in: directory.path) }

  @Test("who connects to a socket file can be told")
  func credentials() throws {
    let loop = try Loop()
    var accepted: [Stream] = []
    var listener: Listener?
    listener = try Listener(
      loop: loop, address: .unix(path: path),
      onConnection: {
        accepted.append($0)
        listener?.close()
      }, onFailure: { Issue.record("\($0)") })
    let client = connectUnix(path: path)
    loop.run()
    let stream = try #require(accepted.first)
    #expect(
      try stream.peerCredentials
        == PeerCredentials(process: getpid(), user: geteuid(), group: getegid()))
    var groups = [gid_t](repeating: 0, count: 1_024)
    let count = unsafe getgroups(1_024, &groups)
    #expect(try stream.peerGroups.sorted() == groups.prefix(Int(count)).sorted())
    #expect(stream.kind == .unix)
    #expect(stream.peerAddress == nil)
    #expect(!stream.isLoopbackPeer)
    close(client)
    try loop.closeWithHandles()
  }

  @Test("the file has the mode asked for, whatever the umask", arguments: [0o666, 0o600, 0o660])
  func mode(_ mode: Int) throws {
    let loop = try Loop()
    let listener = try quietListener(loop, .unix(path: path, mode: UInt32(mode)))
    #expect(listener.address == .unix(path: path, mode: UInt32(mode)))
    #expect(status(of: path)?.st_mode == S_IFSOCK | mode_t(mode))
    try loop.closeWithHandles()
    #expect(names.isEmpty)
  }

  @Test("a stale file is replaced")
  func stale() throws {
    let loop = try Loop()
    let dead = boundSocket(path)
    close(dead)
    #expect(connectUnix(path: path) < 0)
    let listener = try quietListener(loop, .unix(path: path))
    let client = connectUnix(path: path)
    #expect(client >= 0)
    close(client)
    listener.close()
    try loop.closeWithHandles()
  }

  @Test("a file that somebody listens on is left alone")
  func live() throws {
    let loop = try Loop()
    let listener = try quietListener(loop, .unix(path: path))
    let inode = status(of: path)?.st_ino
    let error = #expect(throws: UVError.self) { _ = try quietListener(loop, .unix(path: path)) }
    #expect(error?.errno == EADDRINUSE)
    #expect(status(of: path)?.st_ino == inode)
    listener.close()
    try loop.closeWithHandles()
  }

  @Test("a file that somebody listens on is left alone when its queue is full, too")
  func liveButBusy() throws {
    let loop = try Loop()
    let busy = boundSocket(path)
    listen(busy, 0)
    let client = connectUnix(path: path)
    #expect(client >= 0)
    let error = #expect(throws: UVError.self) { _ = try quietListener(loop, .unix(path: path)) }
    #expect(error?.errno == EADDRINUSE)
    close(client)
    close(busy)
    try loop.close()
  }

  @Test("any other kind of file is left alone", arguments: ["file", "directory", "link", "fifo"])
  func foreign(kind: String) throws {
    let loop = try Loop()
    switch kind {
    case "file": close(unsafe open(path, O_CREAT | O_WRONLY, 0o600))
    case "directory": unsafe mkdir(path, 0o700)
    case "link": unsafe symlink("nowhere", path)
    default: unsafe mkfifo(path, 0o600)
    }
    let before = status(of: path)
    let error = #expect(throws: UVError.self) { _ = try quietListener(loop, .unix(path: path)) }
    #expect(error?.errno == ENOTSOCK)
    #expect(status(of: path)?.st_ino == before?.st_ino)
    #expect(status(of: path)?.st_mode == before?.st_mode)
    try loop.close()
  }

  @Test("the file is removed at the end, unless another has taken its place")
  func ownership() throws {
    let loop = try Loop()
    let first = try quietListener(loop, .unix(path: path))
    first.close()
    #expect(names.isEmpty)

    let second = try quietListener(loop, .unix(path: path))
    unsafe unlink(path)
    let other = boundSocket(path)
    second.close()
    #expect(names == ["socket"])
    close(other)

    let third = try quietListener(loop, .unix(path: path))
    unsafe unlink(path)
    third.close()
    #expect(names.isEmpty)
    try loop.closeWithHandles()
  }

  @Test("a path that can't be one of a socket is refused")
  func badPaths() throws {
    let loop = try Loop()
    let long = directory.path + "/" + String(repeating: "x", count: 108)
    for (path, code) in [
      (long, ENAMETOOLONG), ("", EINVAL), ("a\u{0}b", EINVAL), ("\(path)/none/x", ENOENT),
    ] {
      let error = #expect(throws: UVError.self) { _ = try quietListener(loop, .unix(path: path)) }
      #expect(error?.errno == code)
    }
    try loop.close()
  }

  @Test("the longest path there can be works")
  func longestPath() throws {
    let loop = try Loop()
    let start = directory.path + "/"
    let path = start + String(repeating: "x", count: 107 - start.utf8.count)
    _ = try quietListener(loop, .unix(path: path))
    let client = connectUnix(path: path)
    #expect(client >= 0)
    close(client)
    loop.closeAll()
    loop.run()
    #expect(names.isEmpty)
    try loop.close()
  }
}

private func status(of path: String) -> stat? {
  var status = stat()
  return unsafe lstat(path, &status) == 0 ? status : nil
}

/// A socket that is bound to a path, not listening.
private func boundSocket(_ path: String) -> CInt {
  let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
  let status = unsafe withUnsafePointer(to: unixAddress(path)) {
    unsafe bind(
      descriptor, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
      socklen_t(MemoryLayout<sockaddr_un>.size))
  }
  precondition(status == 0, "not bound")
  return descriptor
}
