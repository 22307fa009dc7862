internal import ActivityCore
internal import ActivityWire
internal import EventLoop
internal import Glibc

/// How values of one kind are written in the configuration.
struct Notation<Value>: Sendable {
  /// What is taken, as "a time from 1s to 1min".
  let form: String
  let read: @Sendable (String) throws(BadValue) -> Value
  let write: @Sendable (Value) -> String

  init(
    _ form: String, read: @escaping @Sendable (String) throws(BadValue) -> Value,
    write: @escaping @Sendable (Value) -> String
  ) {
    self.form = form
    self.read = read
    self.write = write
  }

  /// Takes what `read` answers; its nil stands for anything that hasn't the form.
  init(
    _ form: String, recognizing read: @escaping @Sendable (String) -> Value?,
    write: @escaping @Sendable (Value) -> String
  ) {
    self.init(
      form,
      read: { text throws(BadValue) in
        guard let value = read(text) else { throw BadValue("takes \(form), not \(text)") }
        return value
      }, write: write)
  }

  /// The same for a value that may be missing, which is written as nothing.
  var optional: Notation<Value?> {
    Notation<Value?>(form, read: read, write: { $0.map(write) ?? "" })
  }

  /// The same for a list of which one is written.
  var single: Notation<[Value]> {
    Notation<[Value]>(
      form, read: { text throws(BadValue) in [try read(text)] },
      write: { $0.map(write).joined(separator: " ") })
  }
}

extension Notation {
  static func count<Number>(_ range: ClosedRange<Number>) -> Notation<Number>
  where Number: FixedWidthInteger & Sendable {
    Notation<Number>(
      "a whole number from \(range.lowerBound) to \(range.upperBound)",
      recognizing: { text in Number(text).flatMap { range.contains($0) ? $0 : nil } },
      write: { String($0) })
  }
}

extension Notation<Int> {
  private static let units: [(suffix: String, bytes: Int)] = [
    ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10),
  ]

  /// A size in bytes, with `K`, `M` or `G` for powers of 1024.
  static func bytes(_ range: ClosedRange<Int>) -> Notation<Int> {
    Notation(
      "a size from \(sized(range.lowerBound)) to \(sized(range.upperBound))",
      recognizing: { text in bytes(text).flatMap { range.contains($0) ? $0 : nil } }, write: sized)
  }

  private static func bytes(_ text: String) -> Int? {
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return Int(text) }
    guard let number = Int(text.dropLast()) else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
    return overflow ? nil : bytes
  }

  private static func sized(_ bytes: Int) -> String {
    guard bytes > 0, let unit = units.first(where: { bytes % $0.bytes == 0 }) else {
      return String(bytes)
    }
    return "\(bytes / unit.bytes)\(unit.suffix)"
  }
}

extension Notation<TimeSpan> {
  static func span(_ range: ClosedRange<TimeSpan>) -> Notation<TimeSpan> {
    Notation(
      "a time from \(range.lowerBound.text) to \(range.upperBound.text)",
      recognizing: { text in
        TimeSpan(text: text).flatMap { range.contains($0) ? $0 : nil }
      }, write: \.text)
  }
}

extension Notation<Bool> {
  static let flag = Notation(
    "yes or no",
    recognizing: { text in
      switch text.lowercased() {
      case "yes", "true", "on", "1": true
      case "no", "false", "off", "0": false
      default: nil
      }
    }, write: { $0 ? "yes" : "no" })
}

extension Notation<Role> {
  static let role = Notation(
    "device, publisher or admin", recognizing: Role.init(rawValue:), write: \.rawValue)
}

extension Notation<String> {
  static let path = Notation(
    "an absolute path", recognizing: { $0.hasPrefix("/") ? $0 : nil }, write: { $0 })
}

extension Notation<ListenAddress> {
  static let tcp = Notation(
    "ADDRESS:PORT, as 127.0.0.1:7420 or [::1]:7420",
    recognizing: { ListenAddress(option: "tcp:" + $0) },
    write: { String($0.description.dropFirst(4)) })

  static let unix = Notation(
    "an absolute path of at most 107 bytes",
    recognizing: { $0.hasPrefix("/") ? ListenAddress(option: "unix:" + $0) : nil },
    write: { String($0.description.dropFirst(5)) })
}

extension Notation<[Account]> {
  static let accounts = Notation(
    "users and @groups, by name or number",
    read: { text throws(BadValue) in
      let names = text.split(separator: " ").map(String.init)
      let unknown = names.filter { Account(named: $0) == nil }
      guard unknown.isEmpty else {
        throw BadValue(
          "names no user or @group of this machine: \(unknown.joined(separator: ", "))")
      }
      return names.compactMap(Account.init(named:))
    }, write: { $0.map(\.name).joined(separator: " ") })
}
