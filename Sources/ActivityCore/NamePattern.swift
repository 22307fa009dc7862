/// Names that are meant together: one name, or all that begin with what stands before a final `*`.
package struct NamePattern: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package func matches(_ name: String) -> Bool {
    guard text.utf8.last == UInt8(ascii: "*") else { return Name(name) == Name(text) }
    return name.utf8.starts(with: text.utf8.dropLast())
  }

  package static func == (left: NamePattern, right: NamePattern) -> Bool {
    Name(left.text) == Name(right.text)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(Name(text)) }
}
