internal import ActivityClient

/// What is to be simulated.
struct SimulationPlan {
  var scenario = Scenario.delivery
  var deviceCount = 100
  var publisherCount = 4
  /// Of the devices, 0 to 1.
  var slow = 0.05
  var flaky = 0.1
  var duration: Duration = .seconds(60)
  /// How many times as fast as in life the stories go.
  var speed = 60.0
  var seed: UInt64 = 1

  /// Goes before every name, so that nothing else on the daemon is touched.
  var prefix: String { "simulation-\(seed)" }

  /// Everything that is simulated is published here too.
  var everything: String { "\(prefix)/everything" }

  /// One in so many devices follows everything: a display on a wall.
  private static let devicesPerDisplay = 100
  private static let devicesPerCrowd = 50

  /// How many stories are told at the same time.
  var storyCount: Int {
    if scenario.isForMany { return (deviceCount + Self.devicesPerCrowd - 1) / Self.devicesPerCrowd }
    // Every second person has two devices.
    return max(1, deviceCount * 2 / 3)
  }

  /// Where a story is published, and who wants to know of it subscribes.
  func channel(ofStory story: Int) -> String { "\(prefix)/\(scenario.rawValue)-\(story)" }

  /// The devices, each with its channels and its temper.
  func devices(at address: ServerAddress, as identity: Identity) -> [SimulatedDevice] {
    var generator = SeededGenerator(seed: seed, stream: -1)
    return (0..<deviceCount).map { number in
      let isDisplay = number % Self.devicesPerDisplay == Self.devicesPerDisplay - 1
      let chance = Double.random(in: 0..<1, using: &generator)
      return SimulatedDevice(
        "\(prefix)-device-\(number)", at: address, as: identity,
        channels: [isDisplay ? everything : channel(ofStory: number % storyCount)],
        // A display has power; it reads in fits at worst.
        temper: temper(chance, mayBeUnhurried: !isDisplay && number % 2 == 0),
        generator: SeededGenerator(seed: seed, stream: number))
    }
  }

  private func temper(_ chance: Double, mayBeUnhurried: Bool) -> SimulatedDevice.Temper {
    switch chance {
    case ..<slow: mayBeUnhurried ? .unhurried : .fitful
    case ..<(slow + flaky): .flaky
    default: .steady
    }
  }
}

/// A place in a story, and when it goes on from there. When it is over, another one begins.
struct Telling {
  let number: Int
  private let plan: SimulationPlan
  private var generator: SeededGenerator
  private var chapter = 0
  private var story: Story
  private var step = 0
  private(set) var dueAt: ContinuousClock.Instant

  /// A write of a backend that holds something up: it is to be refused.
  private static let stragglerChance = 0.01

  init(_ number: Int, of plan: SimulationPlan, at now: ContinuousClock.Instant) {
    self.number = number
    self.plan = plan
    generator = SeededGenerator(seed: plan.seed, stream: 1_000_000 + number)
    story = plan.scenario.story(using: &generator)
    dueAt = now
    wait(Double.random(in: 0...600, using: &generator))
  }

  /// Moments lie apart as they do in the story, even if it is told late.
  private mutating func wait(_ seconds: Double) { dueAt += .seconds(seconds / plan.speed) }

  private var id: String { "\(plan.prefix)-\(plan.scenario.rawValue)-\(number)-\(chapter)" }

  /// Tells the next step to a publisher.
  mutating func goOn(now: Double, timeScale: Double, to publisher: SimulatedPublisher) {
    let step = story.steps[step]
    let moment = Moment(now: now, scale: timeScale / plan.speed)
    var keys: JSONObject = ["id": .string(id)]
    for member in step.keys(moment).members { keys[member.key] = member.value }
    keys["timestamp"] = WriteTime.stamp(now, isUrgent: keys["priority"] == nil)
    if step.operation == "start" {
      keys["attributes-type"] = .string(story.type)
      keys["channels"] = [.string(plan.channel(ofStory: number)), .string(plan.everything)]
      keys["if-exists"] = "replace"
    }
    // What isn't to happen twice, should it have to be sent twice.
    if step.operation != "update" || keys["alert"] != nil {
      keys["idempotency-key"] = .string("\(id)-\(self.step)-\(UInt64((now * 1e6).rounded()))")
    }
    publisher.write(step.operation, keys)
    if step.operation == "update", generator.chance(Self.stragglerChance) {
      publisher.write(
        "update",
        [
          "id": .string(id), "content-state": ["status": "too late"],
          "timestamp": WriteTime.stamp(now - 1, isUrgent: true),
        ], refusal: "out-of-order")
    }
    turnPage()
  }

  private mutating func turnPage() {
    step += 1
    if step == story.steps.count {
      step = 0
      chapter += 1
      story = plan.scenario.story(using: &generator)
      wait(Double.random(in: 60...600, using: &generator))
    } else {
      wait(story.steps[step].pause)
    }
  }
}
