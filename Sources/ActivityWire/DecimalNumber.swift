/// A JSON number, read from its digits without a detour over floating point.
struct DecimalNumber {
  private(set) var isNegative = false
  /// The first significant digits, 18 at most.
  private var digits: UInt64 = 0
  /// The power of ten that the digits are multiplied by.
  private var exponent = 0
  /// Whether it was written with a decimal point.
  private(set) var hasFraction = false

  /// - Parameter token: a number in JSON's grammar.
  init(_ token: RawSpan) {
    var offset = 0
    while offset < token.byteCount {
      let byte = token[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): hasFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        exponent += Self.power(token.extracting(offset..<token.byteCount))
        return
      default: append(byte - UInt8(ascii: "0"))
      }
    }
  }

  private mutating func append(_ digit: UInt8) {
    if digits < 100_000_000_000_000_000 {
      digits = digits * 10 + UInt64(digit)
      if hasFraction { exponent -= 1 }
    } else if !hasFraction {
      exponent += 1
    }
  }

  /// The exponent behind an `e`. Beyond ±100,000 it makes no difference any more.
  private static func power(_ token: RawSpan) -> Int {
    var power = 0
    var sign = 1
    for offset in 0..<token.byteCount {
      switch token[offset] {
      case UInt8(ascii: "-"): sign = -1
      case UInt8(ascii: "+"): break
      case let digit: power = min(power * 10 + Int(digit - UInt8(ascii: "0")), 100_000)
      }
    }
    return sign * power
  }

  /// The number times 10^`power`, rounded to the nearest; nil if that is about 10^18 or more.
  func scaled(by power: Int) -> (value: Int64, isExact: Bool)? {
    var value = digits
    var shift = digits == 0 ? 0 : exponent + power
    while shift > 0 {
      guard value < 100_000_000_000_000_000 else { return nil }
      value *= 10
      shift -= 1
    }
    var cutOff: UInt64 = 0
    var isExact = true
    while shift < 0, value > 0 || cutOff > 0 {
      (value, cutOff) = value.quotientAndRemainder(dividingBy: 10)
      isExact = isExact && cutOff == 0
      shift += 1
    }
    if cutOff >= 5 { value += 1 }
    return (isNegative ? -Int64(value) : Int64(value), isExact)
  }

  /// The number if it is a whole one, however it was written (`10`, `10.0`, `1e1`).
  var integer: Int64? {
    guard let whole = scaled(by: 0), whole.isExact else { return nil }
    return whole.value
  }
}
