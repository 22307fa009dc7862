import ActivityCore
import Testing

@testable import ActivityDaemon

@Suite("The window of the low priority")
struct LowPriorityWindowTests {
  private let rows: [Row]

  init() {
    let coordinator = Coordinator(limits: Limits())
    rows = (Generation(1)...3).map { generation in
      var activity = Activity(
        id: "a\(generation)", attributesType: "T", contentState: .emptyObject,
        watermark: Instant(seconds: 0), startDate: Instant(seconds: 0), lifetime: .hours(8))
      activity.generation = generation
      return coordinator.restore(activity)
    }
  }

  @Test("an activity waits since its first change")
  func firstChange() {
    var window = LowPriorityWindow()
    expect(window.isEmpty && window.firstSeq == nil)
    window.hold(rows[0], since: 4)
    window.hold(rows[1], since: 5)
    window.hold(rows[0], since: 6)
    expect(window.firstSeq == 4)
    expect(window.takeAll().map(\.seq) == [4, 5])
    expect(window.isEmpty && window.firstSeq == nil)
  }

  @Test("what is taken out early isn't there at the end, and can wait anew")
  func takenOut() {
    var window = LowPriorityWindow()
    window.hold(rows[0], since: 4)
    window.hold(rows[1], since: 5)
    expect(window.take(rows[0]) == 4)
    expect(window.take(rows[0]) == nil)
    expect(window.firstSeq == 5)
    window.hold(rows[0], since: 7)
    window.hold(rows[2], since: 8)
    expect(window.take(rows[1]) == 5)
    expect(window.takeAll().map { [$0.row.activity.generation, $0.seq] } == [[1, 7], [3, 8]])
  }
}
