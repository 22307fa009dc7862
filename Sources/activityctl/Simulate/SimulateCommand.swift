internal import ActivityClient
internal import Glibc

/// `activityctl simulate`.
enum SimulateCommand {
  static let simulate = Command(
    name: "simulate",
    summary: "try the daemon with devices and publishers like real ones",
    details: """
      Stories are told, each to the devices of one person or, of a match, of many; one device in a \
      hundred follows everything. Of the slow devices, half read in fits and half ask for a batch \
      every 3 s; flaky ones break off every few seconds and come back, at times without their \
      cursor. In the end the stories stop, everybody reads on, and what each device shows is \
      compared with what the daemon has. It succeeds if all are right. Everything simulated has a \
      name that begins with simulation-SEED, and is cancelled when it is over; of a run that was \
      killed, the rest is cleared away by the next with its seed. Ctrl-C ends the stories early. \
      Needs role publisher.
      """,
    options: [
      Option("devices", .number("N"), "how many; 100 if not said"),
      Option("slow", .share, "how many of them are slow; 5% if not said"),
      Option("flaky", .share, "how many of them are flaky; 10% if not said"),
      Option("scenario", .choice(Scenario.allCases.map(\.rawValue)), "what it is about"),
      Option("duration", .span, "how long stories are told, in real time; 1m if not said"),
      Option(
        "speed", .number("N"),
        "how many times as fast as in life; 60 if not said, so that a delivery takes 30 s"),
      Option("publishers", .number("N"), "over how many connections they are told; 4 if not said"),
      Option("seed", .number("N"), "the same number gives the same stories; 1 if not said"),
    ]
  ) { arguments throws(Failure) in
    let plan = try plan(arguments)
    try OpenFiles.reserve(plan.deviceCount + plan.publisherCount + 32)
    let first = try Server.client(arguments)
    let simulation = Simulation(
      plan, at: first.address, identity: first.identity, welcome: try first.welcome())
    // From here on a daemon that is away comes back.
    let client = Client(first.address, identity: first.identity, patience: .seconds(30))
    StopSignals.watch()
    let run = SimulationRun(simulation, asking: client)
    let report = try run.report()
    if arguments.has("json") {
      Output.json(report.object)
    } else {
      report.lines.forEach(Output.line)
    }
    guard let fault = report.fault else { return }
    throw Failure(
      .refused, "not-right", fault,
      advice: "The same --seed tells the same stories; the daemon's log may say more.")
  }

  private static func plan(_ arguments: Arguments) throws(Failure) -> SimulationPlan {
    var plan = SimulationPlan()
    plan.deviceCount = try arguments.integer("devices", in: 1...100_000) ?? plan.deviceCount
    plan.publisherCount = try arguments.integer("publishers", in: 1...1_000) ?? plan.publisherCount
    plan.seed = UInt64(try arguments.integer("seed", in: 0...(1 << 53)) ?? 1)
    plan.slow = arguments["slow"]?.numberValue ?? plan.slow
    plan.flaky = arguments["flaky"]?.numberValue ?? plan.flaky
    plan.speed = try arguments.speed() ?? plan.speed
    plan.duration = arguments.duration("duration") ?? plan.duration
    plan.scenario = arguments.string("scenario").flatMap(Scenario.init) ?? plan.scenario
    guard plan.slow + plan.flaky <= 1 else {
      throw .usage("--slow and --flaky are at most 100% together", of: "simulate")
    }
    return plan
  }
}
