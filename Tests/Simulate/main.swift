import Glibc
import Simulation

// Runs the simulation for long: `simulate [STEPS [FIRST-SEED]]`, so many steps a seed, on all
// processors. Before that, every planted fault must be noticed. After a failure that seed is run
// again, and the end of its log is printed.

let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let steps = Int(numbers.first ?? 1_000_000)
let firstSeed = numbers.dropFirst().first ?? .random(in: 0..<1 << 48)
let logLinesShown = 400

@Sendable func run(_ seeds: StrideTo<UInt64>, by worker: Int) throws -> Tally {
  var tally = Tally()
  for seed in seeds where !Task.isCancelled {
    SeedsUnderWay.note(seed, by: worker)
    let simulation = Simulation(seed: seed)
    try simulation.run()
    tally += simulation.tally
  }
  return tally
}

func runOnAllProcessors() async throws -> Tally {
  let workerCount = UInt64(max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))))
  let endSeed = firstSeed + UInt64(max(1, steps / Simulation.stepsPerSeed))
  return try await withThrowingTaskGroup(of: Tally.self) { group in
    for worker in 0..<workerCount {
      let seeds = stride(from: firstSeed + worker, to: endSeed, by: Int(workerCount))
      group.addTask { try run(seeds, by: Int(worker)) }
    }
    return try await group.reduce(into: Tally()) { $0 += $1 }
  }
}

for canary in Canary.all where try canary.notice() == nil {
  print("a planted fault wasn't noticed: \(canary)")
  exit(1)
}
SeedsUnderWay.tellAtTheEnd()
print("\(steps) steps from seed \(firstSeed) on")
// Even if it doesn't come to its end.
fflush(nil)
do {
  print(try await runOnAllProcessors())
  print("every guarantee was kept")
} catch let failure as Simulation.Failure {
  let repeated = Simulation(seed: failure.seed, keepsLog: true)
  try? repeated.run()
  print(repeated.log.suffix(logLinesShown).joined(separator: "\n"))
  print(failure)
  exit(1)
}
