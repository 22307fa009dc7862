/// Cuts a stream of bytes into lines.
///
/// It is asked for one line at a time, so that a session may stop between two lines of a chunk or
/// change `lineBytesMax` there. A line that lies wholly in a chunk is not copied. One that spans
/// chunks is gathered in a buffer that exists only until it is complete; every byte is searched
/// once, however slowly the bytes drip in. What it holds is never longer than `lineBytesMax` + 1.
package struct LineFramer {
  /// What was found next. Terminators (`\n`, `\r\n`) are not part of a line.
  package enum Frame: Equatable {
    /// A line that lies in the chunk, at these offsets.
    case line(Range<Int>)
    /// A line that spans chunks.
    case gathered([UInt8])
    /// A line longer than `lineBytesMax`. It is told once, and skipped up to its end.
    case tooLong
  }

  /// The longest line that is accepted, in bytes, without its terminator.
  package var lineBytesMax: Int

  /// The beginning of a line whose end has not come yet. It contains no `\n`.
  private var gathered: [UInt8] = []
  /// Whether the rest of a line that was told to be too long is being skipped.
  private var isSkipping = false

  package init(lineBytesMax: Int) {
    self.lineBytesMax = lineBytesMax
  }

  /// How many bytes of an incomplete line are held.
  package var heldBytes: Int { gathered.count }

  /// The next line that ends in `chunk` at or after `position`, which is moved behind it.
  /// Blank lines are passed over. After nil all of the chunk has been taken.
  package mutating func next(in chunk: RawSpan, from position: inout Int) -> Frame? {
    while let newline = chunk.firstOffset(of: UInt8(ascii: "\n"), from: position) {
      let rest = position..<newline
      position = newline + 1
      if let frame = complete(with: rest, of: chunk) { return frame }
    }
    let rest = position..<chunk.byteCount
    position = chunk.byteCount
    return gather(rest, of: chunk)
  }

  /// The last line, if the input ended without a newline.
  package mutating func finish() -> Frame? {
    complete(with: 0..<0, of: RawSpan())
  }

  /// A newline was found behind `rest`. Nil if that ends a blank or skipped line.
  private mutating func complete(with rest: Range<Int>, of chunk: RawSpan) -> Frame? {
    if isSkipping {
      isSkipping = false
      return nil
    }
    guard !gathered.isEmpty else {
      let line = chunk.withoutCarriageReturn(rest)
      guard line.count <= lineBytesMax else { return .tooLong }
      return line.allSatisfy { chunk[$0].isBlank } ? nil : .line(line)
    }
    var line = gathered
    gathered = []
    guard line.count + rest.count <= lineBytesMax + 1 else { return .tooLong }
    line.append(rest, of: chunk)
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard line.count <= lineBytesMax else { return .tooLong }
    return line.allSatisfy(\.isBlank) ? nil : .gathered(line)
  }

  /// Keeps the beginning of a line. It may be one byte too long if that may belong to `\r\n`.
  private mutating func gather(_ rest: Range<Int>, of chunk: RawSpan) -> Frame? {
    guard !isSkipping, !rest.isEmpty else { return nil }
    let length = gathered.count + chunk.withoutCarriageReturn(rest).count
    guard length <= lineBytesMax else {
      gathered = []
      isSkipping = true
      return .tooLong
    }
    gathered.append(rest, of: chunk)
    return nil
  }
}
