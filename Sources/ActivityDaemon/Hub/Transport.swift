package import EventLoop

/// What a session writes to and reads from: a socket, or what stands in for one in a simulation.
///
/// Used on the loop's thread; none of these calls calls back.
package protocol Transport: AnyObject {
  /// Whether what `write` took is still being written.
  var isWriting: Bool { get }

  /// Writes what is taken at once, and answers how many bytes that was.
  func tryWrite(_ slices: UnsafeBufferPointer<WriteSlice>) throws(UVError) -> Int

  /// Copies all but the first `offset` bytes and writes them as they are taken; the session is
  /// told when it is drained.
  func write(_ slices: UnsafeBufferPointer<WriteSlice>, from offset: Int) throws(UVError)

  /// Written, but not yet taken by the peer, in bytes; 0 if that can't be known.
  var unreadBytes: Int { get }

  /// The address at the other end, where it has one.
  var peerAddress: String? { get }

  func startReading()
  func stopReading()

  /// Tells the peer, behind what is being written, that nothing more comes.
  func shutdown()

  /// Closes at once.
  func close()
}

extension Stream: Transport {}
