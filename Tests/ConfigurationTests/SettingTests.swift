import ActivityCore
import ActivityDaemon
import ActivityWire
import EventLoop
import TestSupport
import Testing

@Suite("The table of keys") struct SettingTests {
  @Test("every limit has a key")
  func limits() {
    // Each stored property is one limit.
    #expect(Limits.places.count == Mirror(reflecting: Limits()).children.count)
    let keys = Setting.all.filter { $0.section == .limits }.map(\.name)
    #expect(keys == Limits.places.map(\.name.description))
  }

  @Test("each key is there once")
  func once() {
    #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
  }

  @Test("every default can be written in the configuration, and means itself")
  func defaults() throws {
    for setting in Setting.all {
      let text = setting.text(in: Configuration())
      #expect(try value(of: setting.name, setTo: text) == text, "\(setting.name)")
    }
  }

  @Test("each key changes its own value and no other")
  func independent() throws {
    for setting in Setting.all {
      let other = try #require(Self.otherValues[setting.name], "\(setting.name)")
      var configuration = Configuration()
      try setting.set(other, in: &configuration)
      let changed = Setting.all.filter {
        $0.text(in: configuration) != $0.text(in: Configuration())
      }
      #expect(changed.map(\.name) == [setting.name])
      var copy = Configuration()
      setting.copy(from: configuration, to: &copy)
      #expect(setting.text(in: copy) == setting.text(in: configuration))
    }
  }

  @Test("the sample file is what the table says")
  func sample() throws {
    let path = Files.repository("systemd/activityd.conf")
    if Files.isRewriting { try Files.write(SampleConfiguration.text, to: path) }
    #expect(
      try Files.read(path) == SampleConfiguration.text,
      "run the tests with REWRITE=1 to write it anew")
  }

  @Test("the sample file, its keys uncommented, is a configuration of the defaults")
  func uncommentedSample() throws {
    let lines = SampleConfiguration.text.split(separator: "\n").map { line in
      line.hasPrefix("# ") ? "" : line.hasPrefix("#") ? line.dropFirst() : line
    }
    let configuration = try ConfigurationFolder(lines.joined(separator: "\n")).load()
    #expect(configuration.limits == Limits())
    #expect(
      configuration.listen.map(\.description) == [
        "tcp:127.0.0.1:7420", "tcp:[::1]:7420", "unix:/run/activityd/activityd.sock",
      ])
    for setting in Setting.all where !["Listen", "State"].contains(where: setting.name.hasPrefix) {
      #expect(setting.text(in: configuration) == setting.text(in: Configuration()))
    }
  }

  /// For each key something else than its default.
  private static var otherValues: [String: String] {
    var values = [
      "ListenTCP": "127.0.0.1:9", "ListenUnix": "/tmp/a", "StateDirectory": "/tmp/b",
      "StopWithin": "9s", "TimeScale": "9", "Publishers": "root", "Admins": "@root",
      "LoopbackRole": "admin", "RequireToken": "yes", "AllowInsecure": "yes",
      "ListenTLS": "127.0.0.1:9",
      "TLSCertificate": "/tmp/c", "TLSKey": "/tmp/k", "TLSClientCA": "/tmp/a",
      "TLSRole": "till-3 publisher",
    ]
    for limit in Limits.places {
      values[limit.name.description] =
        switch limit.place {
        case .bytes(_, let range): String(range.lowerBound + 1)
        case .count(_, let range): String(range.lowerBound)
        case .optionalCount(_, let range): String(range.lowerBound)
        case .span(_, let range): range.upperBound.text
        case .optionalSpan(_, let range): range.upperBound.text
        case .flag: "yes"
        }
    }
    return values
  }
}
