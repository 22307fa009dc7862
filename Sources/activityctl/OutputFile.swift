internal import Glibc

/// Files that a command makes.
enum OutputFile {
  /// Makes a file for writing; `-` is the standard output.
  ///
  /// - Throws: if it exists already: nothing that somebody has is overwritten.
  static func create(_ path: String) throws(Failure) -> CInt {
    guard path != "-" else { return STDOUT_FILENO }
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw unwritable(path) }
    return descriptor
  }

  /// Puts a text into the place of a file, at once: it is written aside, and renamed. Everybody may
  /// read it.
  static func replace(_ path: String, with text: String) throws(Failure) {
    // Neither hidden nor new is a name that somebody who looks for files of this kind would take.
    let aside = "\(path).\(getpid())"
    let descriptor = unsafe open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw unwritable(aside) }
    let isWritten = write(text, to: descriptor) && fchmod(descriptor, 0o644) == 0
    guard close(descriptor) == 0, isWritten, unsafe rename(aside, path) == 0 else {
      let failure = unwritable(path)
      unsafe unlink(aside)
      throw failure
    }
  }

  /// Answers false, with `errno`, if it can't all be written.
  static func write(_ text: String, to descriptor: CInt) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(count, 0))
    }
    return true
  }

  /// With the reason of the call that has just failed.
  static func unwritable(_ path: String) -> Failure {
    let reason = unsafe String(cString: strerror(errno))
    return Failure(.cannotCreate, "no-output", "\(path) can't be written: \(reason)")
  }
}
