import ActivityCore

/// Requests that change nothing of an activity.
extension RequestReader {
  func hello(_ fields: Fields) throws(Refusal) -> Hello {
    var hello = Hello()
    hello.device = try name(.device, in: fields)
    hello.token = try fields.name(.token, bytesMax: TokenText.bytesMax)
    hello.keepalive = try keepalive(in: fields)
    hello.interval = try fields.span(
      .interval, 0...3_600, "a number of seconds from 0 to 3600")
    hello.updatesPerHour = try fields.integer(
      .updatesPerHour, 1...1_000_000, "an integer from 1 to 1000000")
    hello.activitiesEnabled = try fields.flag(.activitiesEnabled)
    hello.surface = try fields.choice(.surface)
    hello.reply = try fields.choice(.reply)
    return hello
  }

  private func keepalive(in fields: Fields) throws(Refusal) -> Int64? {
    let wanted = "a whole number of seconds from 10 to 3600, or 0 for never"
    let seconds = try fields.integer(.keepalive, 0...3_600, wanted)
    guard let seconds, 1..<10 ~= seconds else { return seconds }
    throw fields.refusal(.keepalive, mustBe: wanted)
  }

  func list(_ fields: Fields) throws(Refusal) -> List {
    let limit = try fields.integer(.limit, 1...(.jsonMax), "an integer, 1 or more")
    let states = try states(in: fields) ?? Set(State.allCases).subtracting([.dismissed])
    return List(
      filter: ListFilter(
        channels: try set(.channels, in: fields), types: try set(.types, in: fields),
        states: states),
      limit: limit.map(Int.init), after: try name(.after, in: fields))
  }

  private func states(in fields: Fields) throws(Refusal) -> Set<State>? {
    guard let words = try set(.states, in: fields) else { return nil }
    let states = words.compactMap { State(rawValue: $0.text) }
    guard states.count == words.count else {
      let known = State.allCases.map(\.rawValue).joined(separator: ", ")
      throw fields.refusal(.states, mustBe: "an array of some of \(known)")
    }
    return Set(states)
  }

  func subscribe(_ fields: Fields) throws(Refusal) -> Subscribe {
    let feedback = try fields.flag(.feedback) ?? false
    var subscribe = Subscribe(interest: try interest(in: fields, isNeeded: !feedback))
    subscribe.since = try cursor(in: fields)
    subscribe.feedback = feedback
    subscribe.follow = try fields.flag(.follow) ?? true
    return subscribe
  }

  func unsubscribe(_ fields: Fields) throws(Refusal) -> Unsubscribe {
    let feedback = try fields.flag(.feedback) ?? false
    return Unsubscribe(
      interest: try interest(in: fields, isNeeded: !feedback), feedback: feedback)
  }

  private func cursor(in fields: Fields) throws(Refusal) -> Cursor? {
    guard let text = try name(.since, in: fields) else { return nil }
    guard let cursor = Cursor(text) else {
      throw fields.refusal(.since, mustBe: "a cursor that the daemon sent")
    }
    return cursor
  }

  /// The sets of a subscription.
  private func interest(in fields: Fields, isNeeded: Bool) throws(Refusal) -> Interest {
    var interest = Interest()
    interest.channels = try set(.channels, in: fields) ?? []
    interest.ids = try set(.ids, in: fields) ?? []
    interest.types = try set(.types, in: fields) ?? []
    if let all = try fields.flag(.all) {
      guard all else { throw fields.refusal(.all, mustBe: "true, or left out") }
      interest.all = true
    }
    guard interest.keyCount <= limits.keysPerSubscriptionMax else {
      throw .limitReached(
        .keysPerSubscription,
        "a subscription may have \(limits.keysPerSubscriptionMax) channels, ids and types; "
          + "these are \(interest.keyCount)")
    }
    if isNeeded, interest.isEmpty {
      throw Refusal(.missingKey, "one of channels, ids, types or all is required", key: "channels")
    }
    return interest
  }

  private func set(_ key: Key, in fields: Fields) throws(Refusal) -> Set<Name>? {
    try names(key, countMax: limits.keysPerSubscriptionMax, in: fields).map { Set(texts: $0) }
  }

  func action(_ fields: Fields) throws(Refusal) -> Action {
    var action = Action(
      id: try id(in: fields),
      actionID: try fields.require(try name(.actionId, in: fields), .actionId),
      name: try fields.require(try name(.name, in: fields), .name))
    action.ifVersion = try version(in: fields)
    action.payload = fields.json(.payload)
    guard action.payload?.bytes.count ?? 0 <= limits.actionPayloadBytesMax else {
      throw fields.refusal(
        .payload, mustBe: "a value of \(limits.actionPayloadBytesMax) bytes at most",
        code: .payloadTooLarge)
    }
    return action
  }

  /// Nil: what is told so far is to end.
  func monitor(_ fields: Fields) throws(Refusal) -> MonitorFilter? {
    var filter = MonitorFilter()
    filter.ids = try names(.ids, countMax: limits.keysPerSubscriptionMax, in: fields)?
      .map { NamePattern($0) }
    filter.refusedOnly = try fields.flag(.errors) ?? false
    guard try fields.flag(.off) ?? false else { return filter }
    guard !fields.has(.ids), !fields.has(.errors) else {
      throw Refusal(.badValue, "off ends it all; it goes with neither ids nor errors", key: "off")
    }
    return nil
  }

  /// Of a file on the daemon's machine.
  func path(in fields: Fields) throws(Refusal) -> String? {
    try fields.name(.path, bytesMax: Self.pathBytesMax)
  }

  /// Linux takes no longer one.
  private static let pathBytesMax = 4_095

  func helpTopic(_ fields: Fields) throws(Refusal) -> HelpTopic? {
    guard let topic = try name(.topic, in: fields) else { return nil }
    if let operation = Operation(rawValue: topic) { return .operation(operation) }
    switch topic {
    case "limits": return .limits
    case "errors": return .errors
    default:
      let operations = Operation.allCases.map(\.rawValue).joined(separator: ", ")
      throw fields.refusal(.topic, mustBe: "limits, errors or an op: \(operations)")
    }
  }
}
