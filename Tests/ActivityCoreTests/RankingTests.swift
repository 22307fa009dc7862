import ActivityCore
import Testing

@Suite("A ranking made up piece by piece")
struct RankingTests {
  let desk = Desk()
  let all: Interest

  init() {
    var interest = Interest()
    interest.all = true
    all = interest
    for number in 0..<50 {
      desk.start("ride-\(number)") { $0.relevanceScore = Double(number * 7 % 10) }
    }
  }

  private func complete(_ ranking: Ranking, by count: Int) {
    while !ranking.isComplete { #expect(ranking.gather(count) <= count) }
  }

  private func ids(_ ranking: Ranking) -> [String] {
    var ids: [String] = []
    while let row = ranking.popFirst() { ids.append(row.activity.id) }
    return ids
  }

  @Test("it has the order of relevance, whatever the pieces", arguments: [1, 7, 50, 1_000])
  func pieces(count: Int) {
    let ranking = desk.coordinator.ranking(of: all)
    complete(ranking, by: count)
    #expect(ids(ranking) == desk.coordinator.shown(in: all).map(\.activity.id))
  }

  @Test("it holds what was there when it was begun, also if that is dismissed meanwhile")
  func changes() {
    let ranking = desk.coordinator.ranking(of: all)
    _ = ranking.gather(20)
    desk.cancel("ride-3")
    desk.start("late")
    complete(ranking, by: 20)
    let found = Set(ids(ranking))
    #expect(found.count == 50)
    #expect(found.contains("ride-3"))
  }

  @Test("what is known already, or didn't change after the seq, stays out")
  func known() {
    var known = Interest()
    known.ids = ["ride-1", "ride-2"]
    let ranking = desk.coordinator.ranking(of: all, changedAfter: 45, known: known)
    complete(ranking, by: 5)
    #expect(ids(ranking).sorted() == ["ride-45", "ride-46", "ride-47", "ride-48", "ride-49"])
    let others = desk.coordinator.ranking(of: all, known: known)
    complete(others, by: 5)
    #expect(ids(others).count == 48)
  }
}
