/// Names that are meant together: one name, or all that begin with what stands before a final `*`.
package struct NamePattern: Hashable, Sendable {
  private let name: Name

  package init(_ text: String) { name = Name(text) }

  package var text: String { name.text }

  package func matches(_ name: String) -> Bool {
    guard text.utf8.last == UInt8(ascii: "*") else { return Name(name) == self.name }
    return name.utf8.starts(with: text.utf8.dropLast())
  }
}
