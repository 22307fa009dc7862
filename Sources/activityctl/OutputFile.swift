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
    let isWritten = Descriptor.write(text.utf8, to: descriptor) && fchmod(descriptor, 0o644) == 0
    guard close(descriptor) == 0, isWritten, unsafe rename(aside, path) == 0 else {
      let failure = unwritable(path)
      unsafe unlink(aside)
      throw failure
    }
  }

  /// With the reason of the call that has just failed.
  static func unwritable(_ path: String) -> Failure {
    let reason = unsafe String(cString: strerror(errno))
    return Failure(.cannotCreate, "no-output", "\(path) can't be written: \(reason)")
  }
}
