internal import CLibUV
internal import Synchronization

/// The door by which other threads reach the loop: what they send is handed to a handler on the loop's
/// thread, in the order of sending.
package final class Waker<Message: Sendable> {
  /// What other threads send with; it may outlive the waker.
  package let sender: Sender
  private let handle: AsyncHandle
  private let onMessages: ([Message]) -> Void

  /// Makes a waker; `onMessages` is given all that has been sent since its last call.
  package init(loop: Loop, onMessages: @escaping ([Message]) -> Void) throws(UVError) {
    let sender = Sender()
    handle = try AsyncHandle(
      loop: loop, onWake: { Self.collect(sender, onMessages) }, willClose: { sender.close() })
    self.sender = sender
    self.onMessages = onMessages
    sender.open(handle)
  }

  /// Hands over what has been sent already, without waiting for the loop to do so.
  package func collect() { Self.collect(sender, onMessages) }

  /// The loop may wake up for what was collected before.
  private static func collect(_ sender: Sender, _ onMessages: ([Message]) -> Void) {
    let messages = sender.takeAll()
    if !messages.isEmpty { onMessages(messages) }
  }

  /// Closes the door. Messages that were sent but not yet handed over are dropped.
  package func close() {
    handle.close()
  }
}

extension Waker {
  /// The end of a waker that other threads hold.
  package final class Sender: Sendable {
    private struct State {
      var messages: [Message] = []
      /// The `uv_async_t`, as a number since pointers aren't `Sendable`; nil while closed.
      var handle: UInt?
    }

    private let state = Mutex(State())

    /// Hands `message` to the loop, from whichever thread; false if the waker is closed.
    @discardableResult
    package func send(_ message: Message) -> Bool {
      state.withLock { state in
        guard let handle = state.handle else { return false }
        state.messages.append(message)
        // Under the lock, so that the handle can't be closed meanwhile. libuv may fold many
        // wake-ups into one, so only the first message of a batch needs one.
        if state.messages.count == 1 {
          mustSucceed(unsafe uv_async_send(UnsafeMutablePointer(bitPattern: handle)))
        }
        return true
      }
    }

    fileprivate func open(_ handle: AsyncHandle) {
      state.withLock { $0.handle = unsafe UInt(bitPattern: handle.memory) }
    }

    fileprivate func close() {
      state.withLock { state in
        state.handle = nil
        state.messages = []
      }
    }

    fileprivate func takeAll() -> [Message] {
      state.withLock { state in
        let messages = state.messages
        state.messages = []
        return messages
      }
    }
  }
}

/// The handle beneath a waker, free of its message type since C can't call generic functions.
private final class AsyncHandle: Handle {
  private var onWake: (() -> Void)?
  private let willClose: () -> Void

  init(
    loop: Loop, onWake: @escaping () -> Void, willClose: @escaping () -> Void
  ) throws(UVError) {
    self.onWake = onWake
    self.willClose = willClose
    try unsafe super.init(size: MemoryLayout<uv_async_t>.size, "uv_async_init") { memory in
      unsafe uv_async_init(loop.raw, memory.assumingMemoryBound(to: uv_async_t.self)) { async in
        unsafe AsyncHandle.owning(async!).onWake?()
      }
    }
  }

  override func close() {
    // First, so that no other thread can still be using the handle.
    willClose()
    super.close()
  }

  override func didClose() {
    onWake = nil
  }
}
