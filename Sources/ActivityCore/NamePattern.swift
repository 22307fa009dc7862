/// Names that are meant together: one name, or all that begin with what stands before a final `*`.
package struct NamePattern: Hashable, Sendable {
  package let text: Name

  package init(_ text: String) { self.text = Name(text) }

  package func matches(_ name: String) -> Bool {
    guard text.text.utf8.last == UInt8(ascii: "*") else { return Name(name) == text }
    return name.utf8.starts(with: text.text.utf8.dropLast())
  }
}
