import ActivityWire
import Glibc
import TestSupport
import Testing

/// Nicolas Seriot's JSON test suite: `y_` files must be accepted, `n_` files refused, and `i_`
/// files may be either.
@Suite("The JSON test suite")
struct JSONSuiteTests {
  static let folder =
    "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    + "/Fixtures/json-test-suite"
  static let files = names(in: folder).filter { $0.hasSuffix(".json") }.sorted()

  @Test("all files are there")
  func complete() {
    #expect(Self.files.count == 318)
  }

  @Test("each file is judged rightly as the value of content-state", arguments: files)
  func judge(_ name: String) throws {
    let file = try contents(of: "\(Self.folder)/\(name)")
    let line = Array(#"{"content-state":"#.utf8) + file + Array("}".utf8)
    let isAccepted = (try? JSONScanner(depthMax: 64).scan(line))?.count == 1
    if name.hasPrefix("y_") { #expect(isAccepted) }
    if name.hasPrefix("n_") { #expect(!isAccepted) }
  }

  @Test("random damage never does harm, and is judged the same again, in any state")
  func mutations() throws {
    var random = SeededGenerator(seed: 0x5eed)
    let used = JSONScanner(depthMax: 64)
    let seeds = try Self.files.map { try contents(of: "\(Self.folder)/\($0)") }
      .filter { $0.count < 1_000 }
    var accepted = 0
    for _ in 0..<20_000 {
      let seed = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      let other = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      let line = damaged(
        Array(#"{"a":"#.utf8) + seed + Array(#", "b\n" : [ "#.utf8) + other + Array("]}".utf8),
        using: &random)
      let first = verdict(on: line, by: used)
      #expect(first == verdict(on: line, by: JSONScanner(depthMax: 64)))
      if first.failure == nil { accepted += 1 }
    }
    #expect(accepted > 500)
  }

  struct Verdict: Equatable {
    var failure: JSONScanner.Failure?
    var values: [[UInt8]] = []
  }

  /// Scans the line, and what is nested in it one level further.
  func verdict(on line: [UInt8], by scanner: JSONScanner) -> Verdict {
    do {
      var verdict = Verdict()
      for index in try scanner.scan(line) {
        verdict.values.append(scanner.copy(scanner[index].value))
        guard scanner[index].kind == .array || scanner[index].kind == .object else { continue }
        for inner in try scanner.members(of: index) {
          verdict.values.append(scanner.copy(scanner[inner].value))
        }
      }
      return verdict
    } catch {
      return Verdict(failure: error)
    }
  }

  /// The bytes with a few of them changed, removed, doubled or put in, or none.
  func damaged(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    let telling = Array("{}[]:,\"\\ \r\n\0u0-+.eEtfn\u{7f}é".utf8)
    for _ in 0..<Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
      let at = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: at)
      case 2: bytes.insert(bytes[at], at: at)
      case 3: bytes.insert(telling.randomElement(using: &random) ?? 0, at: at)
      default: bytes.removeSubrange(at...)
      }
    }
    return bytes
  }
}

/// A file of the fixtures could not be read.
struct FixtureError: Error {
  let path: String
  let code: Int32
}

func contents(of path: String) throws -> [UInt8] {
  guard let file = unsafe fopen(path, "r") else { throw FixtureError(path: path, code: errno) }
  defer { unsafe fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while case let count = unsafe fread(&chunk, 1, chunk.count, file), count > 0 {
    bytes += chunk[..<count]
  }
  return bytes
}

func names(in folder: String) -> [String] {
  guard let directory = unsafe opendir(folder) else { return [] }
  defer { unsafe closedir(directory) }
  var names: [String] = []
  while let entry = unsafe readdir(directory) {
    unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
      unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
        names.append(unsafe String(cString: $0))
      }
    }
  }
  return names
}
