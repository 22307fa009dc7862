import TestSupport
import Testing

@testable import ActivityDaemon

@Suite("The log")
struct LogTests {
  @Test("nothing that a client says can be taken for another field or line")
  func forgery() {
    let names = [
      "plain", "", "two words", "a b=c", "event=ready", "=", "quote\"d", "back\\slash",
      "new\nevent=ready",
      "\u{85}\u{2028}\u{202e}",
      "\u{1b}[2J", "ümlaut",
    ]
    for name in names {
      let entry = Log.Entry(
        level: .notice, event: "superseded",
        fields: [Log.Field(name: "device", value: name), Log.Field(name: "by", value: "x")])
      let text = entry.text
      // One that reads it field by field finds what there was, and nothing else.
      #expect(Self.fields(of: text).map(\.name) == ["event", "device", "by"])
      #expect(text.hasPrefix("event=superseded device=") && text.hasSuffix(" by=x"))
      #expect(text.split(whereSeparator: \.isNewline).count == 1)
      #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
      // Quoted, unless it is as plain as a word.
      let value = text.dropFirst("event=superseded device=".count).dropLast(" by=x".count)
      #expect(value == "plain" || value.hasPrefix("\"") && value.hasSuffix("\""))
    }
  }

  /// The fields of a line, as an operator's script would take them.
  private static func fields(of line: String) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    var rest = Substring(line)
    while let equals = rest.firstIndex(of: "=") {
      let name = String(rest[..<equals])
      rest = rest[rest.index(after: equals)...]
      var value = ""
      var isQuoted = false
      while let character = rest.popFirst(), isQuoted || character != " " {
        switch character {
        case "\"": isQuoted.toggle()
        case "\\": rest.popFirst().map { value.append($0) }
        default: value.append(character)
        }
      }
      fields.append((name, value))
    }
    return fields
  }

  @Test("the journal is given each field by itself, as it is")
  func journalFields() {
    let entry = Log.Entry(
      level: .warning, event: "config-reloaded",
      fields: [Log.Field(name: "restart-needed", value: "a\nb")])
    let fields = entry.journalFields
    #expect(
      fields.map(\.name) == [
        "MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER", "ACTIVITYD_EVENT", "ACTIVITYD_RESTART_NEEDED",
      ])
    #expect(fields.map(\.value) == [entry.text, "4", "activityd", "config-reloaded", "a\nb"])
  }

  @Test("activityd(8) explains each event")
  func manual() throws {
    let events = try Set(
      Self.sources(in: Files.repository("Sources/ActivityDaemon")).flatMap(events))
    #expect(events.contains("ready") && events.count > 10)
    let entries = try Files.read(Files.repository("systemd/man/activityd.8"))
      .split(separator: "\n").filter { $0.hasPrefix(".It Cm ") }
    let explained = Set(
      entries.flatMap { $0.dropFirst(".It Cm ".count).split { " ,".contains($0) }.map(String.init) }
    )
    #expect(events.subtracting(explained) == [])
  }

  /// What stands in `event: "…"`.
  private func events(in source: String) -> [String] {
    source.split(separator: "event: \"").dropFirst().compactMap {
      $0.split(separator: "\"", omittingEmptySubsequences: false).first.map(String.init)
    }
  }

  private static func sources(in folder: String) throws -> [String] {
    try TestSupport.Files.names(in: folder).flatMap { name in
      let path = folder + "/" + name
      return name.hasSuffix(".swift") ? [try Files.read(path)] : try sources(in: path)
    }
  }

  @Test("of a kind and an origin a few lines a second are written, and the rest is counted")
  func throttle() {
    let throttle = LogThrottle()
    let admitted = (0..<20).filter { _ in throttle.admits(event: "closed", origin: "uid:1") }
    #expect(admitted == [0, 1, 2, 3, 4])
    #expect(throttle.admits(event: "closed", origin: "uid:2"))
    #expect(throttle.admits(event: "dropped", origin: "uid:1"))
    #expect(throttle.endSecond() == [LogThrottle.Held(event: "closed", origin: "uid:1", count: 15)])
    #expect(throttle.admits(event: "closed", origin: "uid:1"))
    #expect(throttle.endSecond() == [])
  }
}
