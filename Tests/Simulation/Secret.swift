import ActivityCore

/// A part of what a composer makes that may be said to be sensitive, and what is seen of it in
/// public: put down, not worked out.
struct Secret {
  /// Below `content-state` or `attributes`.
  var path: String
  /// The member, compact.
  var plain: String
  /// The same with `null` in the place of what the path leads to.
  var hidden: String

  /// Those of a member before those of its parts.
  static let all =
    [
      Secret(path: "amount", plain: #""amount":1.50"#, hidden: #""amount":null"#),
      Secret(path: "amount", plain: #""amount":1e2"#, hidden: #""amount":null"#),
      Secret(path: "amount", plain: #""\u0061mount":7"#, hidden: #""\u0061mount":null"#),
      Secret(path: "text", plain: #""text":\#(Composer.text)"#, hidden: #""text":null"#),
      Secret(
        path: "twice", plain: #""twice":1,"twice":2"#, hidden: #""twice":null,"twice":null"#),
      Secret(path: "deep", plain: #""deep":[[{"x":[]}]]"#, hidden: #""deep":null"#),
      Secret(
        path: "deep/0/0/x", plain: #""deep":[[{"x":[]}]]"#, hidden: #""deep":[[{"x":null}]]"#),
      Secret(path: "", plain: "\"\":true", hidden: "\"\":null"),
      Secret(path: "a~1b/~0", plain: #""a/b":{"~":1}"#, hidden: #""a/b":{"~":null}"#),
    ]
    + Composer.fillers.map {
      Secret(path: "filler", plain: #""filler":"\#($0)""#, hidden: #""filler":null"#)
    }

  /// What a text of a composer's looks like in public.
  static func hide(_ text: [UInt8], _ root: String, _ paths: [SensitivePath]) -> [UInt8] {
    let paths = paths.map(\.text)
    guard !paths.contains(root) else { return Array("null".utf8) }
    var text = text
    for secret in all where paths.contains("\(root)/\(secret.path)") {
      text = text.replacing(Array(secret.plain.utf8), with: Array(secret.hidden.utf8))
    }
    return text
  }
}

extension Activity {
  /// As somebody is to see it whose device has this surface.
  func seen(on surface: Surface) -> (contentState: [UInt8], attributes: [UInt8]) {
    guard surface == .public else { return (contentState.bytes, attributes.bytes) }
    return (
      Secret.hide(contentState.bytes, "content-state", sensitive),
      Secret.hide(attributes.bytes, "attributes", sensitive)
    )
  }
}
