internal import ActivityCore
internal import ActivityWire

/// Bytes to requests, and answers and events to bytes.
extension Benchmark {
  static let ofWire: [Benchmark] = [
    Benchmark(name: "wire-frame", operation: "cutting a line of 306 bytes out of a chunk") {
      let chunk = (0..<200).flatMap(Sample.updateLine)
      var framer = LineFramer(lineBytesMax: 65_536)
      return {
        var position = 0
        var lines = 0
        while unsafe framer.next(in: chunk.span.bytes, from: &position) != nil { lines += 1 }
        return lines
      }
    },
    Benchmark(name: "wire-scan", operation: "judging the JSON of an update") {
      let line = Sample.updateLine(7).dropLast()
      let scanner = JSONScanner(depthMax: 64)
      return {
        for _ in 0..<100 { _ = try unsafe scanner.scan(line.span.bytes) }
        return 100
      }
    },
    Benchmark(name: "wire-read-update", operation: "reading an update as a request") {
      reading(Sample.updateLine(7))
    },
    Benchmark(name: "wire-read-start", operation: "reading a start as a request") {
      reading(Sample.startLine(7))
    },
    Benchmark(name: "wire-event", operation: "writing an update event, but for its tail") {
      let activity = Sample.activity(7)
      var writer = LineWriter()
      return {
        for _ in 0..<100 {
          writer.beginEvent(.update, activity)
          writer.endEvent()
        }
        writer.removeAll()
        return 100
      }
    },
    Benchmark(name: "wire-answer", operation: "writing the answer to an update") {
      let activity = Sample.activity(7)
      var writer = LineWriter()
      return {
        for _ in 0..<100 {
          writer.written("update", ref: nil, Told(activity), applied: true, devices: 3)
        }
        writer.removeAll()
        return 100
      }
    },
    Benchmark(name: "wire-cursor", operation: "writing the tail of an event, with a cursor") {
      var writer = LineWriter()
      return {
        for seq in 0..<100 {
          let cursor = Cursor(epoch: "1q2w3e4r5t6z", seq: Seq(seq), hash: 0x1234_5678_9abc_def0)
          writer.endEvent(cursor: cursor)
        }
        writer.removeAll()
        return 100
      }
    },
  ]

  private static func reading(_ line: [UInt8]) -> () throws -> Int {
    let line = line.dropLast()
    let reader = RequestReader(limits: Limits())
    return {
      for _ in 0..<100 { _ = try unsafe reader.read(line.span.bytes) }
      return 100
    }
  }
}
