internal import ActivityWire

extension JSONValue {
  /// Reads a value of any kind; nil if the text isn't exactly one.
  public init?(text: some StringProtocol) {
    // The reader takes objects only, so the value is made the only member of one.
    let line = Array("{\"value\":".utf8) + Array(text.utf8) + [UInt8(ascii: "}")]
    let reader = JSONReader()
    guard let object = reader.object(line), object.members.count == 1 else { return nil }
    self = object.members[0].value
  }

  /// The value as compact JSON.
  public var text: String {
    var writer = JSONWriter()
    writer.append(self)
    return writer.text
  }
}

extension JSONObject {
  /// Reads an object; nil if the text isn't exactly one.
  public init?(text: some StringProtocol) {
    guard let object = JSONReader().object(Array(text.utf8)) else { return nil }
    self = object
  }

  /// The object as compact JSON.
  public var text: String { JSONValue.object(self).text }
}

/// Makes values of bytes. It keeps its room from one object to the next.
struct JSONReader {
  // Deeper than any limit of the daemon's, and shallow enough to be walked by recursion.
  private let scanner = JSONScanner(depthMax: 1_000)

  /// Reads one object; nil if the bytes are anything else.
  func object(_ bytes: [UInt8]) -> JSONObject? {
    do throws(JSONScanner.Failure) {
      return try object(scanner.scan(unsafe bytes.span.bytes))
    } catch {
      return nil
    }
  }

  private func object(_ members: Range<Int>) throws(JSONScanner.Failure) -> JSONObject {
    var object: [JSONObject.Member] = []
    object.reserveCapacity(members.count)
    for index in members {
      let key = scanner.string(scanner[index].key)
      object.append(JSONObject.Member(key: key, value: try value(index)))
    }
    return JSONObject(object)
  }

  private func value(_ index: Int) throws(JSONScanner.Failure) -> JSONValue {
    let member = scanner[index]
    switch member.kind {
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .number: return .number(scanner.string(member.value))
    case .string: return .string(scanner.string(member.text))
    case .object: return .object(try object(scanner.members(of: index)))
    case .array:
      var elements: [JSONValue] = []
      for element in try scanner.members(of: index) { elements.append(try value(element)) }
      return .array(elements)
    }
  }
}

/// Writes values as compact JSON, escaping no more than it must.
private struct JSONWriter {
  var text = ""

  mutating func append(_ value: JSONValue) {
    switch value {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .number(let token): text += token
    case .string(let string): append(string)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        append(element)
      }
      text += "]"
    case .object(let object):
      text += "{"
      for (index, member) in object.members.enumerated() {
        if index > 0 { text += "," }
        append(member.key)
        text += ":"
        append(member.value)
      }
      text += "}"
    }
  }

  private mutating func append(_ string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
