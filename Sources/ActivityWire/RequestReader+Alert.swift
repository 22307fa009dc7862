import ActivityCore

/// Alerts: a string, or an object in the form of ActivityKit or of any other notification.
extension RequestReader {
  /// The alert as it was sent.
  func alert(in fields: Fields) throws(Refusal) -> JSONText? {
    guard let number = fields.number(.alert) else { return nil }
    let member = scanner[number]
    let wanted = "a string or an object, of \(limits.alertBytesMax) bytes at most"
    guard member.kind == .string || member.kind == .object,
      member.value.count <= limits.alertBytesMax
    else { throw fields.refusal(.alert, mustBe: wanted) }
    if member.kind == .object {
      let path = fields.name(.alert) + "."
      try checkAlert(Fields(try fields.elements(of: number), of: scanner, path: path))
    }
    return fields.json(.alert)
  }

  private func checkAlert(_ alert: Fields) throws(Refusal) {
    try alert.checkDuplicates()
    try alert.checkKnown(.alert, of: "an alert")
    for key in alert.entries.compactMap(\.key) {
      let kind = alert.member(key)?.kind
      switch key {
      case .title, .subtitle, .body:
        // An object holds a `loc-key` and its `loc-args`.
        if kind != .string, kind != .object {
          throw alert.refusal(key, mustBe: "a string or an object")
        }
      case .locArgs, .titleLocArgs, .subtitleLocArgs:
        if kind != .array { throw alert.refusal(key, mustBe: "an array") }
      default:
        if kind != .string { throw alert.refusal(key, mustBe: "a string") }
      }
    }
  }
}
