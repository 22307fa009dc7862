/// How long something took, of many times: counted in classes that are a sixteenth of their value
/// wide, so that any number of them takes the same room.
struct Latencies {
  private var counts: [Int] = []
  private(set) var count = 0
  /// In seconds.
  private(set) var longest = 0.0

  mutating func record(_ seconds: Double) {
    let seconds = max(0, min(seconds, 1e6))
    let index = Self.classIndex(UInt64(seconds * 1e6))
    if index >= counts.count {
      counts += Array(repeating: 0, count: index + 1 - counts.count)
    }
    counts[index] += 1
    count += 1
    longest = max(longest, seconds)
  }

  /// What so large a part of all is no longer than, in seconds; 0 if there is none.
  func percentile(_ part: Double) -> Double {
    let wanted = max(1, Int((Double(count) * part).rounded(.up)))
    var sum = 0
    for (index, count) in counts.enumerated() {
      sum += count
      if sum >= wanted { return min(longest, Double(Self.upperEnd(index)) / 1e6) }
    }
    return 0
  }

  /// Below 16 each value has its own; then each doubling has sixteen.
  private static func classIndex(_ value: UInt64) -> Int {
    guard value >= 16 else { return Int(value) }
    let exponent = 63 - value.leadingZeroBitCount
    return (exponent - 3) * 16 + Int(value >> UInt64(exponent - 4)) - 16
  }

  private static func upperEnd(_ index: Int) -> UInt64 {
    guard index >= 16 else { return UInt64(index) + 1 }
    let exponent = index / 16 + 3
    return UInt64(index % 16 + 17) << UInt64(exponent - 4)
  }
}
