import Testing

@testable import ActivityDaemon

@Suite("A pace")
struct PaceTests {
  private static let hour: Int64 = 3_600_000

  @Test("a twelfth of the hour's updates may go at once, then one at a time")
  func burst() {
    var pace = Pace(updatesPerHour: 60, intervalMilliseconds: 0, at: 0)
    for _ in 0..<5 { expect(pace.allows(.update, at: 0)) }
    expect(!pace.allows(.update, at: 0))
    expect(!pace.allows(.update, at: 59_999))
    expect(pace.allows(.update, at: 60_000))
    expect(!pace.allows(.update, at: 60_000))
  }

  @Test("no more gathers than a burst, and the smallest burst is one", arguments: [1, 5, 12, 600])
  func bound(updatesPerHour: Int64) {
    var pace = Pace(updatesPerHour: updatesPerHour, intervalMilliseconds: 0, at: 0)
    var sent = 0
    while pace.allows(.update, at: 100 * Self.hour) { sent += 1 }
    expect(sent == max(1, Int(updatesPerHour) / 12))
  }

  @Test("starts, and going stale, cost nothing; ends and alerts wait for nothing")
  func free() {
    var pace = Pace(updatesPerHour: 1, intervalMilliseconds: 10_000, at: 0)
    expect(pace.allows(.update, at: 0))
    expect(pace.allows(.other, at: 0))
    pace.endBatch(at: 0)
    expect(!pace.allows(.other, at: 1))
    expect(pace.allows(.urgent, at: 1))
    expect(pace.allows(.other, at: 10_000))
  }

  @Test("within an interval one batch goes")
  func interval() {
    var pace = Pace(updatesPerHour: nil, intervalMilliseconds: 5_000, at: 0)
    expect(pace.allows(.update, at: 0))
    expect(pace.allows(.update, at: 3))
    pace.endBatch(at: 3)
    expect(!pace.allows(.update, at: 5_002))
    expect(!pace.isReady(at: 5_002))
    expect(pace.isReady(at: 5_003))
    expect(pace.allows(.update, at: 5_003))
  }

  @Test("an update that can't be afforded opens no batch, so that the next one needn't wait for it")
  func noEmptyBatch() {
    var pace = Pace(updatesPerHour: 1, intervalMilliseconds: 3_600_000, at: 0)
    expect(pace.allows(.update, at: 0))
    pace.endBatch(at: 0)
    expect(!pace.allows(.update, at: Self.hour - 1))
    pace.endBatch(at: Self.hour - 1)
    expect(pace.allows(.update, at: Self.hour))
  }

  @Test("what waits for the interval alone is ready when that is over, whatever updates may go")
  func readiness() {
    var pace = Pace(updatesPerHour: 1, intervalMilliseconds: 10_000, at: 0)
    expect(pace.allows(.update, at: 0))
    pace.endBatch(at: 0)
    expect(!pace.isReady(at: 10_000))
    expect(!pace.allows(.other, at: 9_999))
    expect(pace.isReady(at: 10_000))
  }

  @Test("a shorter interval counts from the last batch too")
  func shorterInterval() {
    var pace = Pace(updatesPerHour: nil, intervalMilliseconds: 3_600_000, at: 0)
    expect(pace.allows(.update, at: 0))
    pace.endBatch(at: 0)
    pace.intervalMilliseconds = 0
    expect(pace.isReady(at: 1))
    expect(pace.allows(.update, at: 1))
  }

  @Test("another number of updates an hour buys nothing at once")
  func change() {
    var pace = Pace(updatesPerHour: 12, intervalMilliseconds: 0, at: 0)
    expect(pace.allows(.update, at: 0))
    pace.updatesPerHour = 1_200
    expect(!pace.allows(.update, at: 0))
    expect(pace.allows(.update, at: 3_000))
    pace.updatesPerHour = 1
    expect(!pace.allows(.update, at: 3_000))
    expect(!pace.isRefilled(at: 3_000))
    expect(pace.isRefilled(at: 3_000 + Self.hour))
  }
}
