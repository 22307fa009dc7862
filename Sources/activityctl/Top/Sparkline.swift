/// The last values of something, as a row of little bars.
struct Sparkline {
  private var values: [Double] = []
  private static let bars = Array("▁▂▃▄▅▆▇█")
  private static let valuesMax = 500

  mutating func append(_ value: Double) {
    values.append(value.isFinite ? value : 0)
    if values.count > Self.valuesMax { values.removeFirst() }
  }

  /// The newest value; 0 before the first.
  var last: Double { values.last ?? 0 }

  /// The newest at the right, each measured by the largest that is shown.
  func text(columns: Int) -> String {
    let shown = values.suffix(columns)
    let largest = shown.max() ?? 0
    let bars = shown.map { value in
      guard value > 0 else { return Character(" ") }
      return Self.bars[min(7, Int(value / largest * 7.999))]
    }
    return String(repeating: " ", count: columns - bars.count) + String(bars)
  }
}
