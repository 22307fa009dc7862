import ActivityCore
import Testing

@Suite("Order of relevance")
struct RelevanceOrderTests {
  let desk = Desk()

  private var shown: [String] {
    var interest = Interest()
    interest.all = true
    return desk.coordinator.shown(in: interest).map(\.activity.id)
  }

  @Test("the higher score goes first, then the earlier start, then the id")
  func order() {
    desk.start("d")
    desk.start("c")
    desk.now = at(1)
    desk.start("b")
    desk.start("a") { $0.relevanceScore = -1 }
    desk.start("e") { $0.relevanceScore = 0.5 }
    #expect(shown == ["e", "c", "d", "b", "a"])
  }

  @Test("an update of the score moves it; one without keeps its place")
  func moves() {
    desk.start("a") { $0.relevanceScore = 10 }
    desk.start("b") { $0.relevanceScore = 20 }
    desk.update("a", "1") { $0.relevanceScore = 30 }
    #expect(shown == ["a", "b"])
    desk.update("a", "2")
    #expect(shown == ["a", "b"])
  }

  @Test("ended ones keep their place until they are dismissed")
  func ended() {
    desk.start("a")
    desk.start("b")
    desk.end("a")
    #expect(shown == ["a", "b"])
    desk.cancel("a")
    #expect(shown == ["b"])
  }

  @Test("generations of one id are ordered too, so the order is total")
  func total() {
    desk.start()
    desk.start { $0.ifExists = .replace }
    let filter = ListFilter(channels: nil, types: nil, states: Set(State.allCases))
    #expect(desk.coordinator.listed(filter).map(\.activity.generation) == [1, 3])
  }
}
