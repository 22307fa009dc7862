import TestSupport
import Testing

@Suite("Whatever happens, and in whatever order")
struct RandomDeliveryTests {
  @Test(
    "each device ends up with the state, told once and in order",
    arguments: Array(1...20) + [25, 59, 60, 75, 170, 270, 286])
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
