package import ActivityCore

/// Requests that change an activity.
///
/// A plain request is its own envelope. In a push, what the activity says is in `aps` (`content`)
/// and the rest stands beside it (`envelope`).
extension RequestReader {
  func write(
    _ operation: Operation, content: Fields, envelope: Fields
  ) throws(Refusal) -> Write {
    let command: Command
    switch operation {
    case .start: command = .start(try start(content, envelope))
    case .update: command = .update(try update(content, envelope))
    case .end: command = .end(try end(content, envelope))
    case .cancel: command = .cancel(try cancel(envelope))
    case .hello, .push, .get, .list, .subscribe, .unsubscribe, .dismiss, .action, .ping, .help,
      .quit, .stats, .clients, .monitor, .backup, .tokenAdd, .tokenList, .tokenRevoke:
      preconditionFailure("\(operation) is no command")
    }
    let id = try name(.id, in: envelope)
    if operation != .start, id == nil { throw envelope.missing(.id) }
    return Write(id: id, command: command)
  }

  private func start(_ content: Fields, _ envelope: Fields) throws(Refusal) -> Start {
    let type = try content.require(try name(.attributesType, in: content), .attributesType)
    let state = try content.require(content.json(.contentState), .contentState)
    var start = Start(attributesType: type, contentState: state)
    if let attributes = try content.object(.attributes) { start.attributes = attributes }
    let countMax = limits.channelsPerActivityMax
    start.channels = try names(.channels, countMax: countMax, in: envelope) ?? []
    start.relevanceScore = try content.double(.relevanceScore)
    start.priority = try priority(in: envelope)
    start.stale = try content.moment(.staleDate, .staleAfter)
    start.start = try envelope.moment(.startDate, .startAfter)
    start.lifetime = try lifetime(in: envelope)
    start.alert = try alert(in: content)
    start.url = try url(in: content)
    start.links = try links(in: content)
    start.timestamp = try timestamp(content, envelope)
    start.ifExists = try envelope.choice(.ifExists) ?? .error
    start.source = try source(in: envelope)
    start.sensitive = try sensitive(in: envelope)
    return start
  }

  private func update(_ content: Fields, _ envelope: Fields) throws(Refusal) -> Update {
    var update = Update()
    update.contentState = content.json(.contentState)
    update.timestamp = try timestamp(content, envelope)
    // Most say no more.
    guard content.hasOthers(than: .plain) || envelope.hasOthers(than: .plain) else { return update }
    update.relevanceScore = try content.double(.relevanceScore)
    update.priority = try priority(in: envelope)
    update.stale = try content.moment(.staleDate, .staleAfter)
    update.start = try envelope.moment(.startDate, .startAfter)
    update.alert = try alert(in: content)
    update.url = try content.isNull(.url) ? .remove : url(in: content).map(Edit.set) ?? .keep
    update.links = try content.isNull(.links) ? .remove : links(in: content).map(Edit.set) ?? .keep
    update.ifVersion = try version(in: envelope)
    update.source = try source(in: envelope)
    update.sensitive = try sensitive(in: envelope)
    return update
  }

  private func end(_ content: Fields, _ envelope: Fields) throws(Refusal) -> End {
    var end = End()
    end.contentState = content.json(.contentState)
    end.dismissal = try dismissal(in: content)
    end.alert = try alert(in: content)
    end.timestamp = try timestamp(content, envelope)
    end.ifVersion = try version(in: envelope)
    return end
  }

  private func cancel(_ fields: Fields) throws(Refusal) -> Cancel {
    var cancel = Cancel()
    cancel.timestamp = try fields.timestamp()
    cancel.ifVersion = try version(in: fields)
    return cancel
  }

  // MARK: Parts

  /// The one beside a payload wins, so that a saved payload can be sent again.
  private func timestamp(_ content: Fields, _ envelope: Fields) throws(Refusal) -> Timestamp? {
    envelope.has(.timestamp) ? try envelope.timestamp() : try content.timestamp()
  }

  private func priority(in fields: Fields) throws(Refusal) -> Priority {
    guard let value = try fields.integer(.priority, 5...10, "10 or 5") else { return .high }
    guard let priority = Priority(rawValue: value) else {
      throw fields.refusal(.priority, mustBe: "10 or 5")
    }
    return priority
  }

  private func lifetime(in fields: Fields) throws(Refusal) -> TimeSpan? {
    let secondsMax = limits.lifetimeMax.microseconds / 1_000_000
    var wanted: String { "a number of seconds, above 0 and at most \(secondsMax)" }
    let lifetime = try fields.span(.lifetime, 0...secondsMax, wanted)
    guard lifetime?.microseconds != 0 else { throw fields.refusal(.lifetime, mustBe: wanted) }
    return lifetime
  }

  private func dismissal(in fields: Fields) throws(Refusal) -> Dismissal? {
    enum Word: String, CaseIterable { case `default`, immediate }
    let moment = try fields.moment(.dismissalDate, .dismissalAfter)
    let word: Word? = try fields.choice(.dismissal)
    guard let word else { return moment.map { .when($0) } }
    guard moment == nil else {
      let other: Key = fields.has(.dismissalDate) ? .dismissalDate : .dismissalAfter
      throw fields.conflict(.dismissal, other)
    }
    return word == .immediate ? .immediate : .byDefault
  }

  private func source(in fields: Fields) throws(Refusal) -> Source? {
    let priority = try fields.integer(
      .sourcePriority, 0...1_000_000, "an integer from 0 to 1000000")
    if let name = try name(.source, in: fields) {
      return Source(name: name, priority: priority ?? 0)
    }
    if let priority, priority > 0 {
      throw fields.missing(.source, " with a source-priority above 0")
    }
    return nil
  }

  private func url(in fields: Fields) throws(Refusal) -> JSONText? {
    var wanted: String { "a string of 1 to \(limits.urlBytesMax) bytes" }
    guard let text = try fields.string(.url, wanted) else { return nil }
    guard 1...limits.urlBytesMax ~= text.count else {
      throw fields.refusal(.url, mustBe: wanted)
    }
    return fields.json(.url)
  }

  private func links(in fields: Fields) throws(Refusal) -> JSONText? {
    guard let number = fields.number(.links) else { return nil }
    var wanted: String {
      "an array of 1 to \(limits.linksMax) objects, \(limits.linksBytesMax) bytes together"
    }
    guard scanner[number].kind == .array, scanner[number].value.count <= limits.linksBytesMax
    else { throw fields.refusal(.links, mustBe: wanted) }
    let elements = try fields.elements(of: number)
    guard 1...limits.linksMax ~= elements.count else {
      throw fields.refusal(.links, mustBe: wanted)
    }
    for (index, element) in elements.enumerated() {
      guard scanner[element].kind == .object else { throw fields.refusal(.links, mustBe: wanted) }
      let path = "links[\(index)]."
      let link = Fields(try fields.elements(of: element), of: scanner, path: path)
      try link.checkDuplicates()
      try link.checkKnown(.link, of: "a link")
      for key in KeySet.link.keys { _ = try link.string(key, "a string") }
      if !link.has(.url) { throw link.missing(.url) }
    }
    return fields.json(.links)
  }
}

extension IfExists: CaseIterable {
  package static var allCases: [IfExists] { [.error, .update, .replace] }
}
