import ActivityCore
import ActivityWire
import TestSupport

extension Limits {
  /// Sets the limit of this name from a number, of seconds if it is a time, or from `yes` or `no`.
  mutating func set(_ name: String, to value: String) throws {
    guard let limit = Self.places.first(where: { $0.name.description == name }) else {
      throw TestFailure("there is no limit \(name)")
    }
    switch (limit.place, Int(value)) {
    case (.bytes(let path, _), let number?): self[keyPath: path] = number
    case (.count(let path, _), let number?): self[keyPath: path] = number
    case (.optionalCount(let path, _), let number?): self[keyPath: path] = Int64(number)
    case (.span(let path, _), let number?): self[keyPath: path] = .seconds(Int64(number))
    case (.optionalSpan(let path, _), let number?): self[keyPath: path] = .seconds(Int64(number))
    case (.flag(let path), nil) where value == "yes" || value == "no":
      self[keyPath: path] = value == "yes"
    default: throw TestFailure("\(name) can't be \(value)")
    }
  }

  /// The bytes, things or seconds at a place; 0 or 1 for a flag, nil for none.
  func amount(at place: Place) -> Int? {
    switch place {
    case .bytes(let path, _), .count(let path, _): self[keyPath: path]
    case .optionalCount(let path, _): self[keyPath: path].map(Int.init)
    case .span(let path, _): Int(self[keyPath: path].microseconds / 1_000_000)
    case .optionalSpan(let path, _): self[keyPath: path].map { Int($0.microseconds / 1_000_000) }
    case .flag(let path): self[keyPath: path] ? 1 : 0
    }
  }
}
