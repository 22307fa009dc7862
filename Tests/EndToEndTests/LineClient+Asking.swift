import TestSupport

extension LineClient {
  /// The next line.
  func next() throws -> JSONLine {
    guard let line = try readLine() else { throw TestFailure("the connection was closed") }
    return try JSONLine(line)
  }

  /// The next line, which must be this event.
  func next(_ event: String) throws -> JSONLine {
    let line = try next()
    guard line["event"]?.string == event else {
      throw TestFailure("no \(event), but \(line)")
    }
    return line
  }

  /// Sends a request and reads the next line.
  func ask(_ request: String) throws -> JSONLine {
    try sendLine(request)
    return try next()
  }

  /// Sends a request that must be carried out.
  func order(_ request: String) throws -> JSONLine {
    let answer = try ask(request)
    guard answer["ok"] != nil else { throw TestFailure("\(request): \(answer)") }
    return answer
  }

  /// The rest of the lines, up to the end of the connection.
  func rest() throws -> [JSONLine] {
    var lines: [JSONLine] = []
    while let line = try readLine() { lines.append(try JSONLine(line)) }
    return lines
  }
}

extension JSONLine {
  var event: String? { self["event"]?.string }
  var state: String? { self["state"]?.string }
  var version: Int? { self["version"]?.integer }
  var errorCode: String? { self["error"]?.string }
}
