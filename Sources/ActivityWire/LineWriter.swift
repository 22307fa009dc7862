package import ActivityCore

/// Writes lines of JSON behind each other into one buffer.
///
/// It knows nothing of nesting: a member writes its comma unless it is the first of its object,
/// which the byte before it tells.
package struct LineWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Forgets what was written; the buffer's room is kept.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Appends lines that are complete.
  package mutating func append(lines: [UInt8]) {
    bytes.append(contentsOf: lines)
  }

  // MARK: Structure

  package mutating func beginObject() { append("{") }
  package mutating func endObject() { append("}") }

  /// Ends the outermost object and the line.
  package mutating func endLine() { append("}\n") }

  /// A comma, unless something was just opened, and the key.
  package mutating func key(_ key: StaticString) {
    separate()
    let buffer = unsafe UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
    let key = unsafe buffer.span
    bytes.append(addingCapacity: key.count + 3) { output in
      output.append(UInt8(ascii: "\""))
      for index in key.indices { output.append(key[index]) }
      output.append(UInt8(ascii: "\""))
      output.append(UInt8(ascii: ":"))
    }
  }

  mutating func separate() {
    switch bytes.last {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\n"), UInt8(ascii: ":"): break
    default: bytes.append(UInt8(ascii: ","))
    }
  }

  mutating func append(_ text: StaticString) {
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  // MARK: Members; absent values write nothing

  package mutating func member(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    self.key(key)
    string(value)
  }

  package mutating func member(_ key: StaticString, _ value: JSONText?) {
    guard let value else { return }
    self.key(key)
    bytes.append(contentsOf: value.bytes)
  }

  package mutating func member(_ key: StaticString, _ value: Int64?) {
    guard let value else { return }
    self.key(key)
    integer(value)
  }

  package mutating func member(_ key: StaticString, _ value: Int?) {
    member(key, value.map(Int64.init))
  }

  package mutating func member(_ key: StaticString, _ value: Bool) {
    self.key(key)
    append(value ? "true" : "false")
  }

  package mutating func member(_ key: StaticString, _ value: Double) {
    self.key(key)
    double(value)
  }

  /// Seconds since 1970.
  package mutating func member(_ key: StaticString, _ value: Instant?) {
    guard let value else { return }
    self.key(key)
    seconds(microseconds: value.microseconds)
  }

  package mutating func member(_ key: StaticString, _ value: TimeSpan?) {
    guard let value else { return }
    self.key(key)
    seconds(microseconds: value.microseconds)
  }

  package mutating func member(_ key: StaticString, _ value: [String]) {
    self.key(key)
    append("[")
    for element in value {
      separate()
      string(element)
    }
    append("]")
  }

  // MARK: Values

  /// A string with the escapes that JSON asks for, and no others.
  mutating func string(_ value: String) {
    let text = value.utf8Span.span
    var isPlain = true
    for index in text.indices { isPlain = isPlain && !Self.mustBeEscaped(text[index]) }
    guard isPlain else { return escaped(value) }
    bytes.append(addingCapacity: text.count + 2) { output in
      output.append(UInt8(ascii: "\""))
      for index in text.indices { output.append(text[index]) }
      output.append(UInt8(ascii: "\""))
    }
  }

  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escaped(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\r"): append("\\r")
      case UInt8(ascii: "\t"): append("\\t")
      case 0..<0x20:
        append(byte < 0x10 ? "\\u000" : "\\u001")
        bytes.append(Self.hexadecimalDigit(byte & 0xf))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  mutating func integer(_ value: Int64) {
    if value < 0 { append("-") }
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var first = 20
    var rest = value.magnitude
    repeat {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    bytes.append(addingCapacity: 20 - first) { output in
      for index in first..<20 { output.append(digits[index]) }
    }
  }

  /// The shortest decimal that reads back the same; a whole number has no `.0`.
  mutating func double(_ value: Double) {
    precondition(value.isFinite, "JSON has no such number")
    if let whole = Int64(exactly: value), whole.magnitude < Int64.jsonMax.magnitude {
      integer(whole)
    } else {
      bytes.append(contentsOf: value.description.utf8)
    }
  }

  /// Seconds with as many decimals as it takes, six at most.
  mutating func seconds(microseconds: Int64) {
    let (whole, fraction) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    if microseconds < 0 { append("-") }
    integer(Int64(whole))
    guard fraction > 0 else { return }
    append(".")
    var rest = fraction
    var unit: UInt64 = 100_000
    while rest > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(rest / unit))
      rest %= unit
      unit /= 10
    }
  }
}
