internal import ActivityCore

/// A JSON value. Numbers keep the digits they were written with and objects their order, so that
/// what is read and written again is the same.
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number, as its token in JSON's grammar.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  /// The content of a string; nil for anything else.
  public var stringValue: String? {
    guard case .string(let string) = self else { return nil }
    return string
  }

  /// The nearest floating-point number; nil for what is no number, and for one that none is near.
  public var numberValue: Double? {
    guard case .number(let token) = self, let number = Double(token), number.isFinite else {
      return nil
    }
    return number
  }

  /// The number, if it was written as a whole one of those that JSON's are exact for; nil for
  /// anything else.
  public var integerValue: Int? {
    guard case .number(let token) = self, let number = Int(token),
      number.magnitude <= Int64.jsonMax.magnitude
    else { return nil }
    return number
  }

  /// The truth value; nil for anything else.
  public var boolValue: Bool? {
    guard case .bool(let bool) = self else { return nil }
    return bool
  }

  /// The elements of an array; nil for anything else.
  public var arrayValue: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The object; nil for anything else.
  public var objectValue: JSONObject? {
    guard case .object(let object) = self else { return nil }
    return object
  }
}

// MARK: - Values written in Swift

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `nil` is `null`.
  public init(nilLiteral: ()) { self = .null }

  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// A whole number.
  public init(integerLiteral value: Int) { self = .number("\(value)") }

  /// A number; it must be finite, since JSON has no others.
  public init(floatLiteral value: Double) { self.init(value) }

  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }

  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// An object with these members, in this order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member(key: $0, value: $1) }))
  }

  /// A number; it must be finite, since JSON has no others.
  public init(_ value: Double) {
    precondition(value.isFinite, "JSON has no such number")
    let whole = Int(exactly: value).map { "\($0)" }
    self = .number(whole ?? value.description)
  }

  /// A whole number.
  public init(_ value: Int) { self = .number("\(value)") }

  /// An array of strings.
  public init(_ values: [String]) { self = .array(values.map(JSONValue.string)) }
}
