import ActivityWire
import Testing

@Suite("Framing")
struct LineFramerTests {
  /// A stream of bytes and the lines in it; nil stands for a line that is too long (above 8).
  struct Case: Sendable, CustomTestStringConvertible {
    let input: String
    let lines: [String?]
    var testDescription: String { input.debugDescription }

    init(_ input: String, _ lines: [String?]) {
      self.input = input
      self.lines = lines
    }
  }

  static let cases = [
    Case("", []),
    Case("\n", []),
    Case("a\n", ["a"]),
    Case("a\nb\n", ["a", "b"]),
    Case("a\r\nb\r\n", ["a", "b"]),
    Case("a\r\r\n", ["a\r"]),
    Case("a\rb\n", ["a\rb"]),
    Case("\r\n \n\t \r\n\n", []),
    Case(" a \n", [" a "]),
    Case("a", ["a"]),
    Case("a\nb", ["a", "b"]),
    Case("a\r", ["a"]),
    Case("a\n \r", ["a"]),
    Case("12345678\n", ["12345678"]),
    Case("12345678\r\n", ["12345678"]),
    Case("12345678", ["12345678"]),
    Case("12345678\r", ["12345678"]),
    Case("123456789\n", [nil]),
    Case("123456789\r\n", [nil]),
    Case("12345678\rx\n", [nil]),
    Case("12345678\r\r\n", [nil]),
    Case("123456789", [nil]),
    Case("         \na\n", [nil, "a"]),
    Case("1234567890123456789\n12\n", [nil, "12"]),
    Case("a\n12345678901234567890\r\n\nb", ["a", nil, "b"]),
    Case("123456789\n123456789\n12345678\n", [nil, nil, "12345678"]),
    Case("Grüße\n日本\n", ["Grüße", "日本"]),
  ]

  /// The lines that come out when the input is fed in these pieces.
  func lines(of pieces: [ArraySlice<UInt8>]) -> [String?] {
    var framer = LineFramer(lineBytesMax: 8)
    var lines: [String?] = []
    for piece in pieces {
      let chunk = Array(piece)
      var position = 0
      while let frame = framer.next(in: chunk, from: &position) {
        lines.append(text(of: frame, in: chunk))
      }
      #expect(position == chunk.count)
      #expect(framer.heldBytes <= 9)
    }
    if let frame = framer.finish() { lines.append(text(of: frame, in: [])) }
    #expect(framer.heldBytes == 0)
    return lines
  }

  func text(of frame: LineFramer.Frame, in chunk: [UInt8]) -> String? {
    switch frame {
    case .line(let range): String(decoding: chunk[range], as: UTF8.self)
    case .gathered(let bytes): String(decoding: bytes, as: UTF8.self)
    case .tooLong: nil
    }
  }

  @Test(
    "a stream is cut into the same lines whole, byte by byte and at every split", arguments: cases)
  func splits(_ example: Case) {
    let bytes = Array(example.input.utf8)
    #expect(lines(of: [bytes[...]]) == example.lines)
    #expect(lines(of: bytes.indices.map { bytes[$0...$0] }) == example.lines)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
        #expect(lines(of: pieces) == example.lines, "split at \(first) and \(second)")
      }
    }
  }

  @Test("a line within a chunk is handed out in place and nothing is held")
  func inPlace() {
    var framer = LineFramer(lineBytesMax: 8)
    var position = 0
    let chunk = Array("ab\ncd\n".utf8)
    #expect(framer.next(in: chunk, from: &position) == .line(0..<2))
    #expect(framer.next(in: chunk, from: &position) == .line(3..<5))
    #expect(framer.next(in: chunk, from: &position) == nil)
    #expect(framer.heldBytes == 0)
  }

  @Test("the limit may change between two lines of a chunk")
  func limitChanges() {
    var framer = LineFramer(lineBytesMax: 4)
    var position = 0
    let chunk = Array("12345\n1234\n12345\n".utf8)
    #expect(framer.next(in: chunk, from: &position) == .tooLong)
    #expect(framer.next(in: chunk, from: &position) == .line(6..<10))
    framer.lineBytesMax = 5
    #expect(framer.next(in: chunk, from: &position) == .line(11..<16))
  }

  @Test("an endless line is told once and held no longer than the limit")
  func endless() {
    var framer = LineFramer(lineBytesMax: 65_536)
    let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
    var told = 0
    for _ in 0..<1_000 {
      var position = 0
      while framer.next(in: chunk, from: &position) != nil { told += 1 }
      #expect(framer.heldBytes <= 65_537)
    }
    #expect(told == 1)
    #expect(framer.finish() == nil)
  }

  @Test(
    "the first line of a browser's request is recognised",
    arguments: [
      ("GET / HTTP/1.1", true), ("POST /x?y HTTP/1.0", true), (" HTTP/1.1", true),
      ("GET / HTTP/1.", false), ("GET / HTTP/1.x", false), ("GET / HTTP/2", false),
      ("HTTP/1.1", false), ("", false), ("{\"op\":\"ping\"}", false),
      ("{\"a\":\" HTTP/1.1\"}", false),
    ])
  func browser(_ line: String, _ isBrowser: Bool) {
    let bytes = Array(line.utf8)
    #expect(unsafe bytes.span.bytes.endsInHTTPVersion == isBrowser)
  }
}

extension LineFramer {
  fileprivate mutating func next(in chunk: [UInt8], from position: inout Int) -> Frame? {
    unsafe next(in: chunk.span.bytes, from: &position)
  }
}
