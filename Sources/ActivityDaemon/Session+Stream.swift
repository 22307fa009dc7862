package import EventLoop

/// A session of a real connection is told by its stream what happens.
extension Session: StreamDelegate {
  package func streamReceived(_ bytes: RawSpan) { hub.received(bytes, from: self) }

  package func streamReachedEnd() { hub.reachedEnd(self) }

  package func streamFailed(_ error: UVError) { hub.readFailed(self) }

  package func streamDrained() { hub.drained(self) }

  package func streamWriteFailed(_ error: UVError) { hub.writeFailed(self) }

  package func streamClosed() { hub.closed(self) }
}
