/// The members of a JSON object, in order.
public struct JSONObject: Hashable, Sendable {
  /// A key with its value.
  public struct Member: Hashable, Sendable {
    /// Its name.
    public var key: String
    /// What it says.
    public var value: JSONValue

    /// Puts the two together.
    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// All members, those with equal keys too.
  public private(set) var members: [Member]

  /// An object with these members.
  public init(_ members: [Member] = []) { self.members = members }

  /// The value of the first member with this key. Set, it takes the place of the present one or
  /// becomes the last; set to nil, it is removed.
  public subscript(key: String) -> JSONValue? {
    get { members.first { $0.key == key }?.value }
    set {
      let index = members.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// The string under this key, if there is one.
  public func string(_ key: String) -> String? { self[key]?.stringValue }

  /// The number under this key, if there is one.
  public func number(_ key: String) -> Double? { self[key]?.numberValue }

  /// The whole number under this key, if there is one.
  public func integer(_ key: String) -> Int? { self[key]?.integerValue }

  /// The seconds under this key, if there is a number.
  func duration(_ key: String) -> Duration? { number(key).map { .seconds(clamping: $0) } }

  /// The truth value under this key, if there is one.
  public func bool(_ key: String) -> Bool? { self[key]?.boolValue }

  /// The object under this key, if there is one.
  public func object(_ key: String) -> JSONObject? { self[key]?.objectValue }

  /// The array under this key, if there is one.
  public func array(_ key: String) -> [JSONValue]? { self[key]?.arrayValue }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object with these members, in this order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { Member(key: $0, value: $1) })
  }
}
