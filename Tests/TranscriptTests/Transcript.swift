import ActivityCore
import ActivityWire
import TestSupport

/// A conversation with the daemon, as a file of `Protocol/transcripts` tells it.
struct Transcript {
  /// What one line says.
  enum Step {
    case connect(Role)
    /// The text is still to be filled in: see `ClientLine`.
    case send(String, isRaw: Bool)
    case expect(String)
    case expectSilence
    case endOutput
    case close
    case expectClosed
    /// Remembers the value of the key that was received last.
    case save(key: String, word: String)
    case passTime(TimeSpan)
    case passTimeUntil(Instant)
    case restart(downFor: TimeSpan)
    case stepClock(TimeSpan)
    case failCommits(Bool)
    case limit(name: String, value: String)
    case requireToken
    case memoryOnly
  }

  struct Line {
    let number: Int
    /// Whom it is about; empty if it is about the daemon.
    let client: String
    let step: Step
  }

  let name: String
  /// All lines of the file, comments and blank ones too.
  let text: [String]
  let lines: [Line]

  static let folder = Files.repository("Protocol/transcripts")
  static let names = Files.names(in: folder).filter { $0.hasSuffix(".txt") }

  /// Those that a real daemon can be asked for: they need no time to pass and nothing to fail.
  static let namesForSockets = names.filter { name in
    // One that can't be read is left to the test in memory, which says so.
    (try? Transcript(named: name))?.lines.allSatisfy(\.step.isPossibleOverSockets) ?? false
  }

  init(named name: String) throws {
    try self.init(name: name, text: Files.read(Self.folder + "/" + name))
  }

  init(name: String, text: String) throws {
    self.name = name
    self.text = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines = try self.text.enumerated().compactMap { index, line in
      guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
      guard let (client, step) = Step.parse(line) else {
        throw TestFailure("\(name):\(index + 1): not understood: \(line)")
      }
      return Line(number: index + 1, client: client, step: step)
    }
  }

  /// Whether the banner of the client that connects in this line is expected, not skipped.
  func expectsBanner(at index: Int) -> Bool {
    let client = lines[index].client
    guard let next = lines[(index + 1)...].first(where: { $0.client == client }),
      case .expect(let object) = next.step
    else { return false }
    return object.contains("\"event\":\"welcome\"")
  }
}

extension Transcript.Step {
  var isPossibleOverSockets: Bool {
    switch self {
    case .passTime, .passTimeUntil, .stepClock, .failCommits, .limit, .memoryOnly: false
    case .restart(let span): span.microseconds == 0
    case .connect, .send, .expect, .expectSilence, .endOutput, .close, .expectClosed, .save,
      .requireToken:
      true
    }
  }

  /// The step that a line stands for, and the client that it is about; nil if there is none.
  fileprivate static func parse(_ line: String) -> (client: String, step: Self)? {
    let client = line.prefix { "abcdefghijklmnopqrstuvwxyz0123456789-".contains($0) }
    let rest = line.dropFirst(client.count)
    if !client.isEmpty, let step = speech(rest) { return (String(client), step) }
    let words = line.split(separator: " ").map(String.init)
    return of(client: words) ?? ofDaemon(words).map { ("", $0) }
  }

  private static func speech(_ text: Substring) -> Self? {
    if text.hasPrefix(">> ") { return .send(String(text.dropFirst(3)), isRaw: true) }
    if text.hasPrefix("> ") { return .send(String(text.dropFirst(2)), isRaw: false) }
    if text.hasPrefix("< ") { return .expect(String(text.dropFirst(2))) }
    return text == "<" ? .expectSilence : nil
  }

  private static func of(client words: [String]) -> (client: String, step: Self)? {
    switch (words.first, words.count) {
    case ("connect", 3): Role(rawValue: words[2]).map { (words[1], .connect($0)) }
    case ("end", 2): (words[1], .endOutput)
    case ("close", 2): (words[1], .close)
    case ("closed", 2): (words[1], .expectClosed)
    case ("save", 4) where ["cursor", "token"].contains(words[2]):
      (words[1], .save(key: words[2], word: words[3]))
    default: nil
    }
  }

  private static func ofDaemon(_ words: [String]) -> Self? {
    switch (words.first, words.count) {
    case ("@", 2):
      words[1].hasPrefix("+")
        ? TimeSpan(signed: words[1]).map { .passTime($0) }
        : Int64(words[1]).map { .passTimeUntil(Instant(seconds: $0)) }
    case ("restart", 1): .restart(downFor: .seconds(0))
    case ("restart", 2): TimeSpan(signed: words[1]).map { .restart(downFor: $0) }
    case ("step-clock", 2): TimeSpan(signed: words[1]).map { .stepClock($0) }
    case ("fail-commits", 1): .failCommits(true)
    case ("heal-commits", 1): .failCommits(false)
    case ("require-token", 1): .requireToken
    case ("memory-only", 1): .memoryOnly
    case ("limit", 3): .limit(name: words[1], value: words[2])
    default: nil
    }
  }
}

extension TimeSpan {
  /// As `+90`, `+90s`, `-5m` or `+8h`.
  fileprivate init?(signed text: String) {
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600]
    let unit = text.last.flatMap { units[$0] }
    guard let count = Int64(unit == nil ? text : String(text.dropLast())) else { return nil }
    self = .seconds(count * (unit ?? 1))
  }
}
