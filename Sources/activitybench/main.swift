internal import ActivityDaemon
internal import Glibc

let usage = """
  Usage: activitybench [--seconds S] [NAME…]
  Measures what the layers of activityd cost: nanoseconds of processor time, nanoseconds, and
  allocations an operation. Without names everything is measured; a name also stands for all that
  begin with it and a hyphen. Build it with -c release.

    --seconds S   the least length of a round, of which the fastest of five counts (default 0.2)
    --list        show the names and what one operation is, and exit
    --help        show this and exit

  """

let benchmarks =
  Benchmark.ofWire + Benchmark.ofCore + Benchmark.ofStore + Benchmark.ofDelivery

func fail(_ problem: String) -> Never {
  StandardError.write("activitybench: \(problem)")
  exit(64)
}

func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}

/// With one decimal.
func decimal(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  let text = "\(tenths / 10).\(tenths % 10)"
  return String(repeating: " ", count: max(0, 12 - text.count)) + text
}

var seconds = 0.2
var wanted: [String] = []
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--help", "-h":
    print(usage, terminator: "")
    exit(0)
  case "--list":
    for benchmark in benchmarks { print(padded(benchmark.name, 19) + benchmark.operation) }
    exit(0)
  case "--seconds":
    guard let value = arguments.popFirst().flatMap(Double.init), value > 0 else {
      fail("--seconds needs a number above 0")
    }
    seconds = value
  case _ where argument.hasPrefix("-"):
    fail("there is no option \(argument); see activitybench --help")
  default:
    guard benchmarks.contains(where: { $0.isMeant(by: argument) }) else {
      fail("there is no benchmark \(argument); see activitybench --list")
    }
    wanted.append(argument)
  }
}

extension Benchmark {
  func isMeant(by word: String) -> Bool { name == word || name.hasPrefix(word + "-") }
}

print(padded("", 19) + "   cpu ns/op       ns/op   allocs/op  one operation")
for benchmark in benchmarks where wanted.isEmpty || wanted.contains(where: benchmark.isMeant) {
  do {
    let cost = try benchmark.measure(seconds: seconds)
    print(
      padded(benchmark.name, 19) + decimal(cost.processorTime) + decimal(cost.time)
        + decimal(cost.allocations) + "  " + benchmark.operation)
    fflush(nil)
  } catch {
    fail("\(benchmark.name): \(error)")
  }
}
