package import ActivityCore

/// Writes lines of JSON behind each other into one buffer.
///
/// It knows nothing of nesting: a member writes its comma unless it is the first of its object,
/// which the byte before it tells.
package struct LineWriter: ~Copyable {
  private var buffer = ByteBuffer()

  package init() {}

  /// How many bytes have been written.
  package var count: Int { buffer.count }
  package var isEmpty: Bool { buffer.isEmpty }
  /// How many there is room for.
  package var capacity: Int { buffer.capacity }

  /// Lends what was written.
  package func withUnsafeBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe buffer.withUnsafeBytes(body)
  }

  /// The lines that `encode` writes.
  package static func lines(_ encode: (inout LineWriter) -> Void) -> [UInt8] {
    var writer = LineWriter()
    encode(&writer)
    return unsafe writer.withUnsafeBytes { unsafe Array($0) }
  }

  /// Forgets what was written; the buffer's room is kept.
  package mutating func removeAll() { buffer.removeAll() }

  /// What was written, of which it is empty then.
  package mutating func take() -> LineWriter {
    var taken = LineWriter()
    swap(&self, &taken)
    return taken
  }

  /// Appends lines that are complete.
  package mutating func append(lines: [UInt8]) { append(lines) }

  // MARK: Structure

  package mutating func beginObject() { append("{") }
  package mutating func endObject() { append("}") }

  /// Ends the outermost object and the line.
  package mutating func endLine() { append("}\n") }

  /// A comma, unless something was just opened, and the key.
  package mutating func key(_ key: StaticString) {
    separate()
    buffer.append(UInt8(ascii: "\""))
    append(key)
    buffer.append(UInt8(ascii: "\""))
    buffer.append(UInt8(ascii: ":"))
  }

  mutating func separate() {
    switch buffer.last {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\n"), UInt8(ascii: ":"): break
    default: buffer.append(UInt8(ascii: ","))
    }
  }

  mutating func append(_ text: StaticString) {
    unsafe buffer.append(
      UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe buffer.append($0) }
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
    append(value.bytes)
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
    var value = value
    value.withUTF8 { text in
      buffer.append(UInt8(ascii: "\""))
      if unsafe text.contains(where: Self.mustBeEscaped) {
        for index in text.indices { unsafe escaped(text[index]) }
      } else {
        unsafe buffer.append(UnsafeRawBufferPointer(text))
      }
      buffer.append(UInt8(ascii: "\""))
    }
  }

  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      buffer.append(UInt8(ascii: "\\"))
      buffer.append(byte)
    case UInt8(ascii: "\n"): append("\\n")
    case UInt8(ascii: "\r"): append("\\r")
    case UInt8(ascii: "\t"): append("\\t")
    case 0..<0x20:
      append(byte < 0x10 ? "\\u000" : "\\u001")
      buffer.append(Self.hexadecimalDigit(byte & 0xf))
    default: buffer.append(byte)
    }
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  mutating func integer(_ value: Int64) {
    var number = NumberText()
    number.prepend(value.magnitude)
    if value < 0 { number.prepend(UInt8(ascii: "-")) }
    append(number)
  }

  private mutating func append(_ number: NumberText) {
    unsafe number.withBytes { unsafe buffer.append($0) }
  }

  /// The shortest decimal that reads back the same; a whole number has no `.0`.
  mutating func double(_ value: Double) {
    precondition(value.isFinite, "JSON has no such number")
    if let whole = Int64(exactly: value), whole.magnitude < Int64.jsonMax.magnitude {
      integer(whole)
    } else {
      append(Array(value.description.utf8))
    }
  }

  /// Seconds with as many decimals as it takes, six at most.
  mutating func seconds(microseconds: Int64) {
    var (whole, fraction) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    var number = NumberText()
    if fraction > 0 {
      var places = 6
      while fraction % 10 == 0 {
        fraction /= 10
        places -= 1
      }
      number.prepend(fraction, places: places)
      number.prepend(UInt8(ascii: "."))
    }
    number.prepend(whole)
    if microseconds < 0 { number.prepend(UInt8(ascii: "-")) }
    append(number)
  }
}
