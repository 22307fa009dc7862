import EventLoop
import Testing

@Suite struct WakerTests {
  private struct Message: Sendable {
    var thread: Int
    var number: Int
  }

  @Test("what several threads send arrives, each thread's in its order")
  func threads() throws {
    let loop = try Loop()
    let threadCount = 4
    let messagesPerThread = 20_000
    var received = [[Int]](repeating: [], count: threadCount)
    var waker: Waker<Message>?
    waker = try Waker<Message>(loop: loop) { messages in
      #expect(!messages.isEmpty)
      for message in messages { received[message.thread].append(message.number) }
      if received.allSatisfy({ $0.count == messagesPerThread }) { waker?.close() }
    }
    let sender = try #require(waker).sender
    let threads = (0..<threadCount).map { thread in
      TestThread {
        for number in 0..<messagesPerThread {
          sender.send(Message(thread: thread, number: number))
        }
      }
    }
    loop.run()
    for thread in threads { thread.join() }
    for numbers in received { #expect(numbers == Array(0..<messagesPerThread)) }
    try loop.close()
    // Its handler holds it.
    waker = nil
  }

  @Test("a single message sent to a loop that waits wakes it")
  func wakingUp() throws {
    let loop = try Loop()
    var waker: Waker<Int>?
    var received: [Int] = []
    waker = try Waker<Int>(loop: loop) { messages in
      received += messages
      if received.count == 2 { waker?.close() }
    }
    let sender = try #require(waker).sender
    #expect(sender.send(1))
    let thread = TestThread { sender.send(2) }
    loop.run()
    thread.join()
    #expect(received.sorted() == [1, 2])
    try loop.close()
    // Its handler holds it.
    waker = nil
  }

  @Test("a message sent while the handler runs arrives in a later call")
  func sendingWhileReceiving() throws {
    let loop = try Loop()
    var waker: Waker<Int>?
    var received: [[Int]] = []
    waker = try Waker<Int>(loop: loop) { messages in
      received.append(messages)
      if messages == [3] { waker?.close() } else { waker?.sender.send(messages[0] + 1) }
    }
    waker?.sender.send(1)
    loop.run()
    #expect(received == [[1], [2], [3]])
    try loop.close()
    // Its handler holds it.
    waker = nil
  }

  @Test("a closed waker refuses what other threads go on sending", arguments: [false, true])
  func closing(byLoop: Bool) throws {
    let loop = try Loop()
    var waker: Waker<Int>?
    waker = try Waker<Int>(loop: loop) { _ in
      if byLoop { loop.closeAll() } else { waker?.close() }
    }
    let sender = try #require(waker).sender
    let threads = (0..<2).map { _ in TestThread { while sender.send(0) {} } }
    loop.run()
    for thread in threads { thread.join() }
    #expect(!sender.send(1))
    try loop.close()
    waker = nil
    #expect(!sender.send(2))
  }
}
