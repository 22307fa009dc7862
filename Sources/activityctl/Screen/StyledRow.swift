/// How text looks.
struct Style: Hashable {
  /// The first eight colours of every terminal that has any.
  enum Color: Int32 {
    case red = 1
    case green = 2
    case yellow = 3
    case cyan = 6
  }

  var isBold = false
  var isDim = false
  var isReversed = false
  var color: Color?

  static let plain = Style()
  static let bold = Style(isBold: true)
  static let dim = Style(isDim: true)
}

/// A row of a screen, from the left: texts, a style each, with nothing in them that a terminal would
/// obey.
struct StyledRow: Hashable {
  struct Run: Hashable {
    var text: String
    var style: Style
  }

  private(set) var runs: [Run] = []

  init(_ text: String = "", _ style: Style = .plain) { append(text, style) }

  /// The columns that it takes.
  var width: Int { runs.reduce(0) { $0 + TerminalText.width($1.text) } }

  var text: String { runs.map(\.text).joined() }

  mutating func append(_ text: String, _ style: Style = .plain) {
    guard !text.isEmpty else { return }
    runs.append(Run(text: TerminalText.safe(text), style: style))
  }

  mutating func append(_ row: StyledRow) { runs += row.runs }

  /// This row at the left and the other at the right of so many columns; where both don't fit, the
  /// left gives way.
  func justified(_ right: StyledRow, columns: Int, filler: String = " ", _ style: Style = .plain)
    -> StyledRow
  {
    var row = fitted(max(0, columns - right.width))
    row.append(String(repeating: filler, count: max(0, columns - row.width - right.width)), style)
    row.append(right)
    return row.fitted(columns)
  }

  /// In the middle of so many columns.
  func centered(columns: Int) -> StyledRow {
    let row = fitted(columns)
    var centered = StyledRow(String(repeating: " ", count: (columns - row.width) / 2))
    centered.append(row)
    return centered
  }

  /// Cut to so many columns.
  func fitted(_ columns: Int) -> StyledRow {
    guard width > columns else { return self }
    var row = StyledRow()
    for run in runs {
      let text = TerminalText.fit(run.text, columns - row.width)
      row.append(text, run.style)
      if text != run.text { break }
    }
    return row
  }

  /// The same text, with every style changed.
  func restyled(_ change: (inout Style) -> Void) -> StyledRow {
    var row = self
    for index in row.runs.indices { change(&row.runs[index].style) }
    return row
  }
}
