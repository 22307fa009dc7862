import ActivityWire

/// The first byte says into how long pieces the rest is cut. However it is cut, the lines must be
/// those that splitting all of it at once gives.
func fuzzFramer(_ input: [UInt8]) {
  guard let first = input.first else { return }
  let bytes = Array(input.dropFirst())
  let lineBytesMax = 24
  var framer = LineFramer(lineBytesMax: lineBytesMax)
  var lines: [[UInt8]?] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    let chunk = Array(rest.prefix(Int(first % 40) + 1))
    rest = rest.dropFirst(chunk.count)
    var position = 0
    while let frame = framer.next(in: unsafe chunk.span.bytes, from: &position) {
      lines.append(frame.line(in: chunk))
      precondition(framer.heldBytes == 0, "a line that is out is still held")
    }
    precondition(position == chunk.count, "bytes are left over")
    precondition(framer.heldBytes <= lineBytesMax + 1, "more is held than a line may have")
  }
  if let frame = framer.finish() { lines.append(frame.line(in: [])) }
  precondition(lines == naiveLines(of: bytes, lineBytesMax: lineBytesMax), "other lines")
}

extension LineFramer.Frame {
  /// Nil: too long.
  fileprivate func line(in chunk: [UInt8]) -> [UInt8]? {
    switch self {
    case .line(let range): Array(chunk[range])
    case .gathered(let line): line
    case .tooLong: nil
    }
  }
}

private func naiveLines(of bytes: [UInt8], lineBytesMax: Int) -> [[UInt8]?] {
  let pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  var lines: [[UInt8]?] = []
  for piece in pieces {
    let line = piece.last == UInt8(ascii: "\r") ? piece.dropLast() : piece
    let isBlank = line.allSatisfy { [UInt8(ascii: " "), 0x09, 0x0d].contains($0) }
    if line.count > lineBytesMax {
      lines.append(nil)
    } else if !isBlank {
      lines.append(Array(line))
    }
  }
  return lines
}
