import TestSupport
import Testing

@Suite("Whatever happens, and in whatever order")
struct RandomDeliveryTests {
  @Test("each device ends up with the state, told once and in order", arguments: 1...20)
  func arrives(seed: Int) throws {
    let world = RandomWorld(seed: UInt64(seed))
    for step in 1...1_000 {
      do {
        try world.step()
      } catch {
        throw TestFailure("seed \(seed), step \(step): \(error)")
      }
    }
    do {
      try world.settle()
    } catch {
      throw TestFailure("seed \(seed), at the end: \(error)")
    }
  }
}
