internal import CSystemd

/// A socket that the service manager made, and passed to this process when it started it.
package struct InheritedSocket: Equatable, Sendable {
  /// Not to be inherited any further. Whoever takes the socket owns it.
  package let descriptor: CInt
  /// `FileDescriptorName=` of the socket unit; without it, the unit's name.
  package let name: String

  /// Takes over the sockets that were passed, in the order of their units and lines; none if this
  /// process wasn't started with any. Answers only once: the environment that told is cleared.
  ///
  /// To be called before there are other threads.
  package static func takeAll() -> [InheritedSocket] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = unsafe sd_listen_fds_with_names(1, &names)
    guard count > 0, let names = unsafe names else { return [] }
    defer { unsafe free(names) }
    return (0..<Int(count)).map { index in
      let name = unsafe names[index]
      defer { unsafe free(name) }
      return InheritedSocket(
        descriptor: SD_LISTEN_FDS_START + CInt(index),
        name: unsafe name.map { unsafe String(cString: $0) } ?? "unknown")
    }
  }
}
