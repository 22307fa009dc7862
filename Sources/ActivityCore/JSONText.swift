/// A JSON value as compact UTF-8 text: the sender's own bytes less white space between tokens.
///
/// The daemon never interprets it. Copies share storage.
package struct JSONText: Hashable, Sendable {
  package var bytes: [UInt8]

  /// `bytes` must already be valid and compact.
  package init(bytes: [UInt8]) { self.bytes = bytes }

  package init(_ text: StaticString) { self.bytes = Array(text.description.utf8) }

  package static let emptyObject = JSONText("{}")
}

extension Int64 {
  /// Beyond this no number of ours goes: JSON's are exact up to it.
  package static let jsonMax: Int64 = 1 << 53
}
