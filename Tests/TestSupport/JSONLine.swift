package import ActivityWire

/// A JSON object, taken apart: its members in order, each with its bytes.
package struct JSONLine {
  /// The value of a member, as it was sent less white space between tokens.
  package struct Value: Equatable {
    package let kind: JSONScanner.Kind
    package let bytes: [UInt8]
    /// The content of a string; nil for anything else.
    package let string: String?

    package var raw: String { String(decoding: bytes, as: UTF8.self) }
    package var number: Double? { kind == .number ? Double(raw) : nil }
    package var integer: Int? { kind == .number ? Int(raw) : nil }
    package var object: JSONLine? { kind == .object ? try? JSONLine(raw) : nil }

    package static func == (left: Value, right: Value) -> Bool { left.bytes == right.bytes }
  }

  package let members: [(key: String, value: Value)]

  package init(_ line: some StringProtocol) throws {
    let scanner = JSONScanner(depthMax: 1_000)
    let bytes = Array(line.utf8)
    do throws(JSONScanner.Failure) {
      members = try scanner.scan(unsafe bytes.span.bytes).map { index in
        let member = scanner[index]
        let value = Value(
          kind: member.kind, bytes: scanner.copy(member.value),
          string: member.kind == .string ? scanner.string(member.text) : nil)
        return (scanner.string(member.key), value)
      }
    } catch {
      throw TestFailure("no JSON object: \(line.prefix(200)): \(error)")
    }
  }

  package subscript(key: String) -> Value? { members.first { $0.key == key }?.value }
}

extension JSONLine: CustomStringConvertible {
  package var description: String {
    "{" + members.map { "\"\($0.key)\":\($0.value.raw)" }.joined(separator: ",") + "}"
  }
}
