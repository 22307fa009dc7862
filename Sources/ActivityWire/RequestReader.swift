package import ActivityCore

/// Reads the lines of clients as requests, and refuses what hasn't the right form.
///
/// A refusal names the key, the limit and the value. Whether a request may and can be carried out
/// is judged elsewhere. One reader serves all connections of a loop.
package final class RequestReader {
  let scanner: JSONScanner
  let limits: Limits

  package init(limits: Limits) {
    self.limits = limits
    scanner = JSONScanner(depthMax: limits.depthMax)
  }

  /// The request in a line. Nothing of the line is kept.
  package func read(_ line: RawSpan) throws(RequestError) -> Request {
    let fields = try fields(of: line)
    do {
      let ref = try self.ref(in: fields)
      let operation = try operation(in: fields)
      try check(fields, for: operation)
      return Request(
        operation: operation, body: try body(of: operation, fields), ref: ref,
        reply: try fields.choice(.reply), idempotency: try idempotency(in: fields))
    } catch {
      throw RequestError(
        refusal: error, op: try? name(.op, in: fields), ref: try? ref(in: fields),
        id: try? name(.id, in: fields))
    }
  }

  private func fields(of line: RawSpan) throws(RequestError) -> Fields {
    do { return Fields(try scanner.scan(line), of: scanner) } catch {
      throw RequestError(refusal: Refusal(error, of: line, depthMax: limits.depthMax))
    }
  }

  private func ref(in fields: Fields) throws(Refusal) -> JSONText? {
    guard let member = fields.member(.ref) else { return nil }
    switch member.kind {
    case .number where member.value.count <= limits.nameBytesMax: break
    case .string: _ = try name(.ref, in: fields)
    case .number, .null, .false, .true, .array, .object:
      throw fields.refusal(
        .ref, mustBe: "a string or number of \(limits.nameBytesMax) bytes at most")
    }
    return fields.json(.ref)
  }

  private func operation(in fields: Fields) throws(Refusal) -> Operation {
    if let text = try fields.string(.op, Fields.wantedName(limits.nameBytesMax)),
      let operation = scanner.withBytes(text, { Operation($0) })
    {
      return operation
    }
    guard let op = try name(.op, in: fields) else { throw .missingOp() }
    let known = Operation.allCases.map(\.rawValue)
    let nearest = Spelling.nearMiss(of: op, among: known).map { "did you mean \($0)?" }
    throw Refusal(
      .unknownOp, "there is no op \(op); \(nearest ?? "{\"op\":\"help\"} lists them")", key: "op")
  }

  /// Refuses keys that are there twice or don't belong there. What else stands in a push is
  /// looked at when its event is known.
  private func check(_ fields: Fields, for operation: Operation) throws(Refusal) {
    try fields.checkDuplicates()
    guard operation != .push, !fields.areAll(in: operation.allowedBits) else { return }
    try fields.checkKnown(operation.allowed, of: operation.rawValue)
  }

  private func idempotency(in fields: Fields) throws(Refusal) -> Idempotency? {
    guard let key = try name(.idempotencyKey, in: fields) else { return nil }
    return Idempotency(key: key, request: fields.digest(without: .ref))
  }

  private func body(of operation: Operation, _ fields: Fields) throws(Refusal) -> Request.Body {
    switch operation {
    case .hello: .hello(try hello(fields))
    case .start, .update, .end, .cancel:
      .write(try write(operation, content: fields, envelope: fields))
    case .push: .write(try push(fields))
    case .get:
      .get(id: try id(in: fields), delivery: try fields.flag(.delivery) ?? false)
    case .list: .list(try list(fields))
    case .subscribe: .subscribe(try subscribe(fields))
    case .unsubscribe: .unsubscribe(try unsubscribe(fields))
    case .dismiss:
      .dismiss(id: try id(in: fields), everywhere: try fields.flag(.everywhere) ?? false)
    case .action: .action(try action(fields))
    case .ping: .ping
    case .stats: .stats
    case .clients: .clients
    case .monitor: .monitor(try monitor(fields))
    case .backup: .backup(path: try path(in: fields))
    case .tokenAdd: .tokenAdd(try tokenAdd(fields))
    case .tokenList: .tokenList
    case .tokenRevoke:
      .tokenRevoke(name: try fields.require(try name(.name, in: fields), .name))
    case .help: .help(try helpTopic(fields))
    case .quit: .quit
    }
  }

  // MARK: Shared by many

  func name(_ key: Key, in fields: Fields) throws(Refusal) -> String? {
    try fields.name(key, bytesMax: limits.nameBytesMax)
  }

  func names(_ key: Key, countMax: Int, in fields: Fields) throws(Refusal) -> [String]? {
    try fields.names(key, countMax: countMax, bytesMax: limits.nameBytesMax)
  }

  func id(in fields: Fields) throws(Refusal) -> String {
    try fields.require(try name(.id, in: fields), .id)
  }

  func version(in fields: Fields) throws(Refusal) -> Version? {
    try fields.integer(.ifVersion, 0...(.jsonMax), "an integer, 0 or more")
  }
}
