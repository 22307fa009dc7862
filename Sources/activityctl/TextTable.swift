/// Rows in columns as wide as they need to be.
struct TextTable {
  private var rows: [[String]] = []

  init(_ head: [String]) { rows = [head] }

  mutating func append(_ row: [String]) { rows.append(row.map { TerminalText.safe($0) }) }

  /// The lines.
  ///
  /// - Parameter columns: of the terminal, to which lines are cut; nil if there is none.
  func lines(fitting columns: Int? = nil) -> [String] {
    let widths = rows[0].indices.map { column in
      rows.map { TerminalText.width($0[column]) }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, text) in row.enumerated() {
        if column > 0 { line += "  " }
        line += column == row.count - 1 ? text : TerminalText.pad(text, widths[column])
      }
      return columns.map { TerminalText.fit(line, $0) } ?? line
    }
  }
}
