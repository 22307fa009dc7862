/// Where something stands that not everybody may see: `content-state/driver/phone`.
///
/// The first step is `content-state` or `attributes`; each further one a key, or the place of an
/// array's element, from 0. Within a step `~1` stands for `/` and `~0` for `~`, as in JSON Pointer
/// (RFC 6901).
package struct SensitivePath: Hashable, Sendable {
  /// As it was given.
  package let text: String
  let root: Root
  /// The steps below the root, as the bytes of keys.
  let steps: [[UInt8]]

  enum Root: String {
    case attributes
    case contentState = "content-state"
  }

  /// Nil for what isn't a path.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let first = parts.first.flatMap({ String($0) }), let root = Root(rawValue: first) else {
      return nil
    }
    var steps: [[UInt8]] = []
    for part in parts.dropFirst() {
      guard let step = Self.unescaped(part) else { return nil }
      steps.append(step)
    }
    self.text = text
    self.root = root
    self.steps = steps
  }

  private static func unescaped(_ part: Substring.UTF8View) -> [UInt8]? {
    var step: [UInt8] = []
    var rest = part
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        step.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "0"): step.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): step.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return step
  }
}

extension Activity {
  /// What is seen of it where others look on: `null` in the place of all that is sensitive.
  package var forPublic: Activity {
    guard !sensitive.isEmpty, state != .dismissed else { return self }
    var shown = self
    shown.attributes = attributes.withoutSensitive(paths(below: .attributes))
    shown.contentState = contentState.withoutSensitive(paths(below: .contentState))
    return shown
  }

  /// As a session on this surface is shown it.
  package func shown(on surface: Surface) -> Activity {
    surface == .public ? forPublic : self
  }

  private func paths(below root: SensitivePath.Root) -> [ArraySlice<[UInt8]>] {
    sensitive.filter { $0.root == root }.map { $0.steps[...] }
  }
}

extension JSONText {
  fileprivate func withoutSensitive(_ paths: [ArraySlice<[UInt8]>]) -> JSONText {
    guard !paths.isEmpty else { return self }
    var redaction = Redaction(bytes)
    redaction.value(paths)
    return JSONText(bytes: redaction.result)
  }
}

/// Copies one compact JSON value with `null` in the place of what paths lead to. Whatever a key's
/// spelling, and however often it is there, it is found.
private struct Redaction {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var result: [UInt8] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    result.reserveCapacity(bytes.count + 16)
  }

  /// - Parameter paths: What is left of each from here on.
  mutating func value(_ paths: [ArraySlice<[UInt8]>]) {
    guard !paths.contains(where: \.isEmpty) else {
      skipValue()
      return result.append(contentsOf: "null".utf8)
    }
    let start = position
    switch bytes[position] {
    case UInt8(ascii: "{") where !paths.isEmpty: members(paths, closedBy: UInt8(ascii: "}"))
    case UInt8(ascii: "[") where !paths.isEmpty: members(paths, closedBy: UInt8(ascii: "]"))
    default:
      skipValue()
      result.append(contentsOf: bytes[start..<position])
    }
  }

  /// The members of an object or the elements of an array.
  private mutating func members(_ paths: [ArraySlice<[UInt8]>], closedBy end: UInt8) {
    copyByte()
    var index = 0
    while bytes[position] != end {
      if bytes[position] == UInt8(ascii: ",") { copyByte() }
      let step = end == UInt8(ascii: "}") ? key() : Array(String(index).utf8)
      value(paths.filter { $0.first == step }.map { $0.dropFirst() })
      index += 1
    }
    copyByte()
  }

  /// Copies a member's key and its colon; answers the key, unescaped.
  private mutating func key() -> [UInt8] {
    let start = position
    skipString()
    let key = bytes[(start + 1)..<(position - 1)]
    position += 1
    result.append(contentsOf: bytes[start..<position])
    return key.contains(UInt8(ascii: "\\")) ? unescapedJSON(key) : Array(key)
  }

  private mutating func copyByte() {
    result.append(bytes[position])
    position += 1
  }

  private mutating func skipString() {
    position += 1
    while bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position += 1
  }

  private mutating func skipValue() {
    var depth = 0
    repeat {
      switch bytes[position] {
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        position += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"): position += 1
      default: skipScalar()
      }
    } while depth > 0
  }

  /// A number, `true`, `false` or `null`.
  private mutating func skipScalar() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): return
      default: position += 1
      }
    }
  }
}

/// The bytes that a string of valid JSON stands for; U+FFFD's for a surrogate without its pair.
private func unescapedJSON(_ text: ArraySlice<UInt8>) -> [UInt8] {
  var units: [UInt16] = []
  var result: [UInt8] = []
  var rest = text
  func flush() {
    result.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
    units = []
  }
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
      flush()
      result.append(byte)
      continue
    }
    if escape == UInt8(ascii: "u") {
      units.append(UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0)
      rest = rest.dropFirst(4)
    } else {
      flush()
      result.append(simpleEscapes[escape] ?? escape)
    }
  }
  flush()
  return result
}

/// The escapes that don't stand for themselves.
private let simpleEscapes: [UInt8: UInt8] = [
  UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0c, UInt8(ascii: "n"): 0x0a,
  UInt8(ascii: "r"): 0x0d, UInt8(ascii: "t"): 0x09,
]
