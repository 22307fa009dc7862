import EventLoop
import Testing

@Test("an empty loop runs to its end and closes")
func emptyLoop() throws {
  let loop = try Loop()
  #expect(!loop.run())
  try loop.close()
}
