import ActivityCore
import ActivityDaemon
import Testing

@Suite("Values") struct NotationTests {
  @Test(
    "a time is written as systemd writes it",
    arguments: [
      ("0", 0), ("90", 90_000_000), ("5min", 300_000_000), ("1h 30min", 5_400_000_000),
      ("1h30min", 5_400_000_000), ("1 h 30 min", 5_400_000_000), ("2min 30", 150_000_000),
      ("500ms", 500_000), ("250us", 250), ("250µs", 250), ("1.5s", 1_500_000),
      ("8h", 28_800_000_000),
      ("30d", 2_592_000_000_000), ("1w", 604_800_000_000), ("1M", 2_629_800_000_000),
      ("1y", 31_557_600_000_000), ("1day 2hours", 93_600_000_000), ("0.25 m", 15_000_000),
    ] as [(String, Int64)])
  func times(text: String, microseconds: Int64) {
    #expect(TimeSpan(text: text) == TimeSpan(microseconds: microseconds))
  }

  @Test(
    "what is no time is refused",
    arguments: [
      "", " ", "min", "5 fortnights", "-5", "+5", "5,5", "1.2.3s", "1.", ".5", "five", "5min!",
      "٣s",
      "infinity", "9223372036854775807s", "300000y", "9223372036854775807us 1us",
    ])
  func noTimes(text: String) {
    #expect(TimeSpan(text: text) == nil)
  }

  @Test(
    "a time is shown in days and less, and read again as the same",
    arguments: ["0", "1us", "500ms", "1s", "1min 30s", "8h", "1h 30min", "30d", "365d", "1d 1ms"])
  func shownTimes(text: String) {
    #expect(TimeSpan(text: text)?.text == text)
  }

  @Test(
    "a size may have a unit, of powers of 1024",
    arguments: [
      ("MaxLineBytes", "65536", "64K"), ("MaxLineBytes", "64K", "64K"),
      ("MaxLineBytes", "2M", "2M"),
      ("MaxPayloadBytes", "1000", "1000"),
    ])
  func sizes(key: String, text: String, shown: String) throws {
    #expect(try value(of: key, setTo: text) == shown)
  }

  @Test(
    "a yes or no may be written in four ways, in any case",
    arguments: [
      ("yes", "yes"), ("true", "yes"), ("on", "yes"), ("1", "yes"), ("True", "yes"), ("no", "no"),
      ("false", "no"), ("off", "no"), ("0", "no"), ("OFF", "no"),
    ])
  func flags(text: String, shown: String) throws {
    #expect(try value(of: "RequireStaleDate", setTo: text) == shown)
  }

  @Test(
    "a bad value, or one out of range, is told what the key takes",
    arguments: [
      ("MaxDepth", "3", "takes a whole number from 4 to 1024, not 3"),
      ("MaxDepth", "64K", "takes a whole number from 4 to 1024, not 64K"),
      (
        "MaxDepth", "99999999999999999999",
        "takes a whole number from 4 to 1024, not 99999999999999999999"
      ),
      ("MaxLineBytes", "1023", "takes a size from 1K to 16M, not 1023"),
      ("MaxLineBytes", "17M", "takes a size from 1K to 16M, not 17M"),
      ("MaxLineBytes", "64k", "takes a size from 1K to 16M, not 64k"),
      (
        "MaxLineBytes", "9223372036854775807G",
        "takes a size from 1K to 16M, not 9223372036854775807G"
      ),
      ("LowPriorityWindow", "2min", "takes a time from 0 to 1min, not 2min"),
      ("DefaultStaleAfter", "0", "takes a time from 1s to 365d, not 0"),
      ("DefaultUpdatesPerHour", "0", "takes a whole number from 1 to 1000000, not 0"),
      ("RequireStaleDate", "y", "takes yes or no, not y"),
      ("LoopbackRole", "king", "takes device, publisher or admin, not king"),
      ("StateDirectory", "var", "takes an absolute path, not var"),
      (
        "ListenTCP", "localhost:",
        "takes ADDRESS:PORT, as 127.0.0.1:7420 or [::1]:7420, not localhost:"
      ),
      (
        "ListenTCP", "example.org:1",
        "takes ADDRESS:PORT, as 127.0.0.1:7420 or [::1]:7420, not example.org:1"
      ),
      ("ListenUnix", "a.sock", "takes an absolute path of at most 107 bytes, not a.sock"),
      (
        "Publishers", "root nobody-like-me @no-such-group",
        "names no user or @group of this machine: nobody-like-me, @no-such-group"
      ),
    ])
  func badValues(key: String, text: String, message: String) {
    #expect(throws: BadValue(message)) { try value(of: key, setTo: text) }
  }
}

/// How a configuration shows a key that was set to a text.
func value(of key: String, setTo text: String) throws -> String {
  let setting = try #require(Setting.all.first { $0.name == key })
  var configuration = Configuration()
  try setting.set(text, in: &configuration)
  return setting.text(in: configuration)
}
