import Simulation
import Testing

@Suite("Whatever happens, every guarantee of PROTOCOL.md is kept")
struct SimulationTests {
  @Test(
    "through a thousand steps of a seed",
    arguments: [
      1, 2, 3, 4,
      // Each found a fault.
      20_000_334, 20_001_453, 777_001_625, 61_680_231_376_435, 151_965_985_544_935,
      236_587_851_856_306,
    ] as [UInt64])
  func keepsEveryGuarantee(seed: UInt64) throws {
    try Simulation(seed: seed).run(steps: 1_000)
  }

  @Test("the same seed gives the same log, byte by byte", arguments: [5, 6] as [UInt64])
  func repeats(seed: UInt64) throws {
    let logs = try (0..<2).map { _ in
      let simulation = Simulation(seed: seed, keepsLog: true)
      try simulation.run(steps: 500)
      return simulation.log
    }
    #expect(logs[0].count > 1_000)
    #expect(logs[0] == logs[1])
  }
}
