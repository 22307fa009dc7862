import Glibc
import Simulation
import Testing

@Suite("Whatever happens, every guarantee of PROTOCOL.md is kept")
struct SimulationTests {
  /// `SIMULATION_SEED` sees one run again; without it, some known ones and a fresh one.
  private static let seeds: [UInt64] = {
    let given = unsafe getenv("SIMULATION_SEED").flatMap { UInt64(unsafe String(cString: $0)) }
    return given.map { [$0] } ?? [1, 2, 3, 4, .random(in: 0..<1 << 48)]
  }()

  @Test("through a thousand steps of any seed", arguments: seeds)
  func keepsEveryGuarantee(seed: UInt64) throws {
    try Simulation(seed: seed).run(steps: 1_000)
  }

  @Test("the same seed gives the same log, byte by byte")
  func repeats() throws {
    let logs = try (0..<2).map { _ in
      let simulation = Simulation(seed: 5, keepsLog: true)
      try simulation.run(steps: 400)
      return simulation.log
    }
    #expect(logs[0].count > 1_000)
    #expect(logs[0] == logs[1])
  }
}
