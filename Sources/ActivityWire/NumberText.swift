/// The digits of a number, made from the last one to the first.
struct NumberText {
  // The longest has 20 digits and a sign, or 19 with a point and a sign.
  private var bytes = InlineArray<24, UInt8>(repeating: 0)
  private var first = 24

  mutating func prepend(_ byte: UInt8) {
    first -= 1
    bytes[first] = byte
  }

  /// - Parameter places: how many digits there are at least; zeros fill them up.
  mutating func prepend(_ number: UInt64, places: Int = 1) {
    var rest = number
    let last = first - places
    repeat {
      prepend(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0 || first > last
  }

  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    let bytes = bytes.span
    unsafe bytes.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[first...])) }
  }
}
