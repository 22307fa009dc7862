import Glibc
import Simulation

/// Runs the simulation for long: `simulate [STEPS [FIRST-SEED]]`.
///
/// After a failure the same run is made again, and the end of its log is printed.
let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let steps = Int(numbers.first ?? 1_000_000)
let firstSeed = numbers.dropFirst().first ?? UInt64.random(in: 0..<1 << 48)
let stepsPerSeed = 1_000
let logLinesShown = 2_000

func run(seed: UInt64) -> String? {
  do {
    try Simulation(seed: seed).run(steps: stepsPerSeed)
    return nil
  } catch {
    let repeated = Simulation(seed: seed, keepsLog: true)
    try? repeated.run(steps: stepsPerSeed)
    return repeated.log.suffix(logLinesShown).joined(separator: "\n") + "\n\(error)"
  }
}

print("\(steps) steps from seed \(firstSeed) on")
for number in 0..<max(1, steps / stepsPerSeed) {
  guard let failure = run(seed: firstSeed + UInt64(number)) else { continue }
  print(failure)
  exit(1)
}
print("every guarantee was kept")
