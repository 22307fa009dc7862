internal import CInih

/// A file in the syntax of systemd's unit files, read by libinih: sections of `Key=Value` lines.
///
/// `#` and `;` begin a comment, at the start of a line only. A line that ends in a backslash goes on
/// in the next one.
package struct UnitFile {
  package struct Entry: Equatable {
    /// Empty above the first heading.
    package let section: String
    /// The line of the section's heading; 0 above the first one.
    package let heading: Int
    package let key: String
    package let value: String
    package let line: Int
  }

  package let path: String
  package private(set) var entries: [Entry] = []
  package private(set) var problems: [ConfigurationProblem] = []

  private static let lineBytesMax = 8_192

  /// Reads the content of the file at `path`, which is needed for the problems only.
  package init(_ content: [UInt8], path: String) {
    self.path = path
    var feed = Feed(lines: lines(of: content))
    Self.useUnitFileSyntax
    unsafe withUnsafeMutablePointer(to: &feed) { feed in
      // Headings are judged below and a line without a value is an entry here, so that there is
      // nothing left for libinih to refuse.
      _ = unsafe ini_parse_stream(
        { unsafe Feed.of($2).pointee.give(to: $0!, room: Int($1)) ? $0 : nil }, feed,
        { context, section, key, value in
          unsafe Feed.of(context).pointee.take(section: section!, key: key!, value: value)
          return 1
        }, feed)
    }
    entries = feed.entries
    for line in feed.incomplete { add(line, "a line is Key=Value, [Section] or a comment") }
  }

  /// Room for a line with its newline and the zero behind it, and for one byte that tells libinih
  /// that it wasn't cut.
  private static let useUnitFileSyntax: Void = ini_use_unit_file_syntax(CInt(lineBytesMax + 3))

  private mutating func add(_ line: Int, _ message: String) {
    problems.append(ConfigurationProblem(file: path, line: line, message: message))
  }
}

extension UnitFile {
  /// A line as libinih is to see it. What can't be read is emptied.
  fileprivate struct Line {
    let number: Int
    var text: [UInt8]

    var first: UInt8? { text.first { !Self.isBlank($0) } }
    var last: UInt8? { text.last { !Self.isBlank($0) } }
    var isComment: Bool { first == UInt8(ascii: "#") || first == UInt8(ascii: ";") }
    var isHeading: Bool { first == UInt8(ascii: "[") }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
  }

  /// Joins what belongs together and judges what libinih would pass over in silence.
  private mutating func lines(of content: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var goesOn = false
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = content.dropFirst(content.starts(with: byteOrderMark) ? 3 : 0)
    let pieces = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      var line = Line(number: index + 1, text: Array(piece))
      if line.text.last == UInt8(ascii: "\r") { line.text.removeLast() }
      if goesOn, line.isComment { continue }
      if goesOn {
        lines[lines.count - 1].text += line.text
      } else {
        lines.append(line)
      }
      goesOn = !line.isComment && line.last == UInt8(ascii: "\\")
      if goesOn, let end = lines[lines.count - 1].text.lastIndex(of: UInt8(ascii: "\\")) {
        lines[lines.count - 1].text[end] = UInt8(ascii: " ")
      }
    }
    for index in lines.indices { judge(&lines[index]) }
    return lines
  }

  private mutating func judge(_ line: inout Line) {
    if String(validating: line.text, as: UTF8.self) == nil || line.text.contains(0) {
      add(line.number, "this is no UTF-8 text")
      line.text = []
    } else if line.text.count > Self.lineBytesMax {
      add(line.number, "a line has at most \(Self.lineBytesMax) bytes")
      line.text = []
    } else if line.isHeading, line.last != UInt8(ascii: "]") {
      add(line.number, "a heading is [Section], alone on its line")
      // What follows is meant for it all the same.
      line.text.append(UInt8(ascii: "]"))
    }
  }
}

/// Hands lines to libinih, which tells no line numbers, and takes what it has read in them.
private struct Feed {
  let lines: [UnitFile.Line]
  private var given = 0
  private var heading = 0
  var entries: [UnitFile.Entry] = []
  /// The lines that have a key and nothing else.
  var incomplete: [Int] = []

  init(lines: [UnitFile.Line]) { self.lines = lines }

  /// The feed whose address was given to libinih; it is there until `ini_parse_stream` returns.
  static func of(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Feed> {
    unsafe context!.assumingMemoryBound(to: Feed.self)
  }

  mutating func give(to buffer: UnsafeMutablePointer<CChar>, room: Int) -> Bool {
    guard given < lines.count else { return false }
    let line = lines[given]
    given += 1
    if line.isHeading { heading = line.number }
    precondition(line.text.count + 2 <= room, "the room that libinih was told to have")
    let text = line.text + [UInt8(ascii: "\n"), 0]
    for (index, byte) in text.enumerated() { unsafe buffer[index] = CChar(bitPattern: byte) }
    return true
  }

  mutating func take(
    section: UnsafePointer<CChar>, key: UnsafePointer<CChar>, value: UnsafePointer<CChar>?
  ) {
    let line = lines[given - 1].number
    guard let value = unsafe value else { return incomplete.append(line) }
    entries.append(
      unsafe UnitFile.Entry(
        section: String(cString: section), heading: heading, key: String(cString: key),
        value: String(cString: value), line: line))
  }
}
