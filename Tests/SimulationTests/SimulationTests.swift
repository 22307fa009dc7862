import Glibc
import Simulation
import Testing

@Suite("Whatever happens, every guarantee of PROTOCOL.md is kept")
struct SimulationTests {
  @Test(
    "through a thousand steps of a seed",
    arguments: [
      1, 2, 3, 4,
      // Each found a fault, of the daemon or of the model, in the world as it was then.
      20_000_334, 20_001_453, 777_001_625, 1_000_000_024, 4_242_424_426, 31_337_313_451,
      77_700_078_265, 61_680_231_376_435, 151_965_985_544_935, 236_587_851_856_306,
    ] as [UInt64])
  func keepsEveryGuarantee(seed: UInt64) throws {
    try Simulation(seed: seed).run()
  }

  @Test("the same seed gives the same log, byte by byte", arguments: [5, 6] as [UInt64])
  func repeats(seed: UInt64) throws {
    let logs = try (0..<2).map { _ in try log(of: seed) }
    #expect(logs[0].count > 1_000)
    #expect(logs[0] == logs[1])
  }

  @Test("and so in another process, where sets and dictionaries have another order")
  func repeatsElsewhere() async throws {
    let code = exitCode(for: try log(of: 5))
    await #expect(processExitsWith: .exitCode(code)) {
      exit(exitCode(for: try log(of: 5)))
    }
  }
}

private func log(of seed: UInt64) throws -> [String] {
  let simulation = Simulation(seed: seed, keepsLog: true)
  try simulation.run(steps: 500)
  return simulation.log
}

/// What all of a log comes to, as far as a process can say it that ends well.
private func exitCode(for log: [String]) -> CInt {
  let digest = log.joined(separator: "\n").utf8.reduce(0 as UInt64) { $0 &* 31 &+ UInt64($1) }
  return CInt(1 + digest % 100)
}
