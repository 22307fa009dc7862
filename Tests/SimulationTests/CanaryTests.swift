import Simulation
import Testing

@Suite("A planted fault is noticed")
struct CanaryTests {
  @Test("by the guarantee that it breaks", arguments: Canary.all)
  func isNoticed(canary: Canary) throws {
    for seed: UInt64 in 1...10 {
      if try canary.report(seed: seed, steps: 400) != nil { return }
    }
    Issue.record("nobody noticed: \(canary)")
  }
}
