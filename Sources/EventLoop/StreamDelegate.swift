/// What a stream tells its owner, on the loop's thread. Everything may be done to the stream in these
/// calls, closing it too.
package protocol StreamDelegate: AnyObject {
  /// Bytes have come, at least one; they are valid during the call only.
  func streamReceived(_ bytes: RawSpan)

  /// The peer sends no more. Writing goes on working until the peer closes wholly.
  func streamReachedEnd()

  /// Reading failed, as by a reset; nothing more will be read or can be written.
  func streamFailed(_ error: UVError)

  /// What `write` took is written, and the stream is ready for more.
  func streamDrained()

  /// What `write` took, or a part of it, couldn't be written. Reading goes on.
  func streamWriteFailed(_ error: UVError)

  /// The stream is closed, and this is its last call. The stream then lets go of its delegate.
  func streamClosed()
}
