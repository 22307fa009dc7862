internal import ActivityClient

/// What a simulation is about.
enum Scenario: String, CaseIterable {
  case delivery, ride, match, stopwatch, order

  /// Whether many follow one and the same activity, and not the devices of one person.
  var isForMany: Bool { self == .match }

  /// A new story; no two are alike.
  func story(using generator: inout SeededGenerator) -> Story {
    switch self {
    case .delivery: Self.delivery(&generator)
    case .ride: Self.ride(&generator)
    case .match: Self.match(&generator)
    case .stopwatch: Self.stopwatch(&generator)
    case .order: Self.order(&generator)
    }
  }
}

// MARK: - The stories

extension Scenario {
  /// Half an hour, a dozen changes, and an alert at the door. Some couriers are lost on the way.
  private static func delivery(_ generator: inout SeededGenerator) -> Story {
    var story = Story("Delivery")
    let shop = ["Cantina", "日本の台所", "Boulangerie 🥐"].randomElement(using: &generator)!
    let relevance = Double(Int.random(in: 0...100, using: &generator))
    func content(_ status: String, _ progress: Double, eta: Double) -> (Moment) -> JSONObject {
      { moment in
        [
          "content-state": [
            "status": .string(status), "progress": JSONValue(progress), "eta": moment.date(in: eta),
          ], "stale-after": moment.seconds(600),
        ]
      }
    }
    story.then(after: 0, "start") { moment in
      var keys = content("ordered", 0, eta: 1_800)(moment)
      keys["attributes"] = ["shop": .string(shop)]
      keys["relevance-score"] = JSONValue(relevance)
      return keys
    }
    story.then(after: 120, "update", content("preparing", 0.2, eta: 1_500))
    story.then(after: 480, "update", content("picked up", 0.4, eta: 960))
    for step in 1...5 {
      let progress = 0.4 + 0.1 * Double(step)
      story.then(
        after: 150, "update", content("on its way 👨‍🍳", progress, eta: 960 - 150 * Double(step)))
    }
    story.then(after: 90, "update") { moment in
      var keys = content("at the door", 0.95, eta: 0)(moment)
      keys["alert"] = ["title": .string(shop), "body": "Your order is at the door"]
      return keys
    }
    story.then(after: 120, "end") { moment in
      ["content-state": ["status": "delivered"], "dismissal-after": moment.seconds(900)]
    }
    if generator.chance(0.1) { story.fallSilent(for: 900, using: &generator) }
    return story
  }

  /// A car that tells where it is every 15 seconds, in no hurry.
  private static func ride(_ generator: inout SeededGenerator) -> Story {
    var story = Story("Ride")
    let plate = "AB \(Int.random(in: 100...999, using: &generator))"
    var place = (latitude: 52.5, longitude: 13.4)
    func drive(_ status: String, count: Int, _ generator: inout SeededGenerator) {
      for left in (0..<count).reversed() {
        place.latitude += Double.random(in: -0.002...0.002, using: &generator)
        place.longitude += Double.random(in: -0.002...0.002, using: &generator)
        let here: JSONValue = [JSONValue(place.latitude), JSONValue(place.longitude)]
        story.then(after: 15, "update") { moment in
          [
            "content-state": [
              "status": .string(status), "place": here, "eta": moment.date(in: Double(left) * 15),
            ], "priority": 5, "stale-after": moment.seconds(60),
          ]
        }
      }
    }
    story.then(after: 0, "start") { moment in
      [
        "attributes": ["plate": .string(plate)], "content-state": ["status": "looking for a car"],
        "stale-after": moment.seconds(120),
      ]
    }
    drive("on the way to you", count: 20, &generator)
    story.then(after: 15, "update") { moment in
      [
        "content-state": ["status": "here"], "alert": .string("\(plate) is here"),
        "stale-after": moment.seconds(300),
      ]
    }
    drive("on the way", count: Int.random(in: 10...30, using: &generator), &generator)
    story.then(after: 15, "end") { _ in
      ["content-state": ["status": "arrived"], "dismissal": "immediate"]
    }
    if generator.chance(0.1) { story.fallSilent(for: 180, using: &generator) }
    return story
  }

  /// Ninety minutes that many follow: the minute is told in no hurry, a goal at once.
  private static func match(_ generator: inout SeededGenerator) -> Story {
    var story = Story("Match")
    var score = [0, 0]
    story.then(after: 0, "start") { moment in
      [
        "attributes": ["home": "日本", "away": "Québec"],
        "content-state": ["score": "0–0", "clock": moment.range(of: 5_400)],
        "relevance-score": 50, "stale-after": moment.seconds(300),
      ]
    }
    for minute in 1...90 {
      let scorer = generator.chance(0.04) ? Int.random(in: 0...1, using: &generator) : nil
      if let scorer { score[scorer] += 1 }
      let text = "\(score[0])–\(score[1])"
      story.then(after: 60, "update") { moment in
        var keys: JSONObject = [
          "content-state": ["score": .string(text), "minute": JSONValue(minute)],
          "stale-after": moment.seconds(300),
        ]
        if scorer == nil { keys["priority"] = 5 } else { keys["alert"] = .string("Goal! \(text)") }
        return keys
      }
    }
    story.then(after: 120, "end") { moment in ["dismissal-after": moment.seconds(3_600)] }
    return story
  }

  /// It runs by itself: changes come only when somebody presses a button.
  private static func stopwatch(_ generator: inout SeededGenerator) -> Story {
    var story = Story("Stopwatch")
    func content(running: Bool, _ accumulated: Double) -> (Moment) -> JSONObject {
      { moment in
        [
          "content-state": [
            "startedAt": running ? moment.date() : .null, "isRunning": .bool(running),
            "accumulatedTime": moment.seconds(accumulated),
          ]
        ]
      }
    }
    story.then(after: 0, "start", content(running: true, 0))
    var accumulated = 0.0
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let run = Double.random(in: 30...300, using: &generator)
      accumulated += run
      story.then(after: run, "update", content(running: false, accumulated))
      let rest = Double.random(in: 10...60, using: &generator)
      story.then(after: rest, "update", content(running: true, accumulated))
    }
    let dismissal = generator.chance(0.5)
    story.then(after: 60, "end") { moment in
      dismissal ? ["dismissal": "immediate"] : ["dismissal-after": moment.seconds(300)]
    }
    return story
  }

  /// Ordered for later: it is moved, given up before anybody saw it, begun anew, or eaten.
  private static func order(_ generator: inout SeededGenerator) -> Story {
    var story = Story("Order")
    let number = Int.random(in: 1...999, using: &generator)
    func start(in seconds: Double) -> (Moment) -> JSONObject {
      { moment in
        [
          "attributes": ["number": JSONValue(number)], "content-state": ["status": "scheduled"],
          "start-after": moment.seconds(seconds),
        ]
      }
    }
    func update(_ status: String) -> (Moment) -> JSONObject {
      { moment in
        ["content-state": ["status": .string(status)], "stale-after": moment.seconds(900)]
      }
    }
    story.then(after: 0, "start", start(in: 600))
    if generator.chance(0.3) {
      story.then(after: 60, "update") { moment in
        ["content-state": ["status": "moved"], "start-after": moment.seconds(600)]
      }
    }
    if generator.chance(0.2) {
      story.then(after: 120, "cancel")
      return story
    }
    story.then(after: 900, "update", update("cooking 🍳"))
    if generator.chance(0.1) { story.then(after: 120, "start", start(in: 60)) }
    story.then(after: 600, "update", update("ready"))
    if generator.chance(0.1) {
      story.then(after: 60, "cancel")
    } else {
      story.then(after: 300, "end") { moment in ["dismissal-after": moment.seconds(600)] }
    }
    return story
  }
}
