import ActivityCore
import Testing

@testable import ActivityDaemon

@Suite("A meter")
struct MeterTests {
  private static let second: Int64 = 1_000_000

  @Test("as many as come in a second may come at once, then one for each share of it")
  func burst() {
    var meter = Meter()
    for _ in 0..<5 { expect(meter.wait(perSecond: 5, at: 0) == nil) }
    expect(meter.wait(perSecond: 5, at: 0) == TimeSpan(microseconds: 200_000))
    expect(meter.wait(perSecond: 5, at: 150_000) == TimeSpan(microseconds: 50_000))
    expect(meter.wait(perSecond: 5, at: 200_000) == nil)
    expect(meter.wait(perSecond: 5, at: 200_000) == TimeSpan(microseconds: 200_000))
  }

  @Test("a refused one costs nothing, and silence saves up no more than a second")
  func saving() {
    var meter = Meter()
    for _ in 0..<1_000 { _ = meter.wait(perSecond: 1, at: 0) }
    expect(meter.wait(perSecond: 1, at: Self.second) == nil)
    var count = 0
    while meter.wait(perSecond: 3, at: 100 * Self.second) == nil { count += 1 }
    expect(count == 3)
  }

  @Test("over any time no more are let through than that time and one second bring")
  func rate() {
    var meter = Meter()
    var count = 0
    for now in stride(from: 0, to: 10 * Self.second, by: 700) {
      if meter.wait(perSecond: 100, at: now) == nil { count += 1 }
    }
    expect((1_090...1_100).contains(count))
  }

  @Test("what happens in any case is counted, and says how long the next one has to wait")
  func charge() {
    var meter = Meter()
    expect(meter.charge(perSecond: 2, at: 0) == .seconds(0))
    expect(meter.charge(perSecond: 2, at: 0) == .seconds(0))
    expect(meter.charge(perSecond: 2, at: 0) == TimeSpan(microseconds: 500_000))
    expect(meter.charge(perSecond: 2, at: 0) == .seconds(1))
    expect(meter.charge(perSecond: 2, at: 10 * Self.second) == .seconds(0))
  }
}
