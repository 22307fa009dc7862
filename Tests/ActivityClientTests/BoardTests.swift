import Testing

@testable import ActivityClient

@Suite("A board") struct BoardTests {
  private var board = Board()

  private func event(_ text: String) throws -> Event {
    try #require(JSONObject(text: text).flatMap { Event($0) })
  }

  private mutating func start(_ id: String, version: Int = 1, _ more: String = "") throws {
    board.apply(
      try event(
        """
        {"event":"start","id":"\(id)","generation":1,"version":\(version),"state":"active",\
        "attributes-type":"T","attributes":{},"content-state":1,"start-date":100\(more)}
        """))
  }

  @Test("takes over what is newer, and only that")
  mutating func versions() throws {
    try start("a", version: 2)
    let update = #""event":"update","id":"a","generation":1,"state":"active""#
    let isOldTaken = board.apply(try event("{\(update),\"version\":2,\"content-state\":2}"))
    #expect(!isOldTaken)
    #expect(board["a"]?.contentState == 1)
    let isNewTaken = board.apply(try event("{\(update),\"version\":3,\"content-state\":3}"))
    #expect(isNewTaken)
    #expect(board["a"]?.contentState == 3)
  }

  @Test("shows the same version otherwise if it is told all of it again, as in public")
  mutating func surfaces() throws {
    try start("a")
    let start = #""event":"start","id":"a","generation":1,"version":1,"state":"active""#
    let hidden = #""attributes-type":"T","attributes":{},"content-state":null,"start-date":100"#
    let isHidden = board.apply(try event("{\(start),\(hidden)}"))
    #expect(isHidden)
    #expect(board["a"]?.contentState == .null)
    let isNews = board.apply(try event("{\(start),\(hidden)}"))
    #expect(!isNews)
  }

  @Test("ignores a dismissal of an earlier life")
  mutating func generations() throws {
    try start("a")
    let isOldTaken = board.apply(
      try event(#"{"event":"dismiss","id":"a","generation":0,"version":9}"#))
    #expect(!isOldTaken)
    #expect(board.count == 1)
    board.apply(try event(#"{"event":"dismiss","id":"a","generation":1,"version":2}"#))
    #expect(board.count == 0)
  }

  @Test("shows the higher relevance first, then the earlier start, then the lesser id")
  mutating func order() throws {
    try start("b")
    try start("a")
    try start("c", #","relevance-score":1"#)
    #expect(board.activities.map(\.id) == ["c", "a", "b"])
  }

  @Test("greys out, ends and removes by the deadlines that it holds")
  mutating func deadlines() throws {
    try start("a", #","stale-date":110,"end-date":120"#)
    #expect(board.nextDeadline == 110)
    #expect(board.advance(to: 109).isEmpty)
    #expect(board.advance(to: 110) == [Board.Passing(id: "a", state: .stale)])
    #expect(board.advance(to: 120) == [Board.Passing(id: "a", state: .ended)])
    #expect(board["a"]?.dismissalDate == 14_520)
    #expect(board.advance(to: 120 + 4 * 3_600) == [Board.Passing(id: "a", state: .dismissed)])
    #expect(board.count == 0)
    #expect(board.nextDeadline == nil)
  }

  @Test("a deadline that has passed is no longer ahead, as in the daemon's own event")
  mutating func passedDates() throws {
    try start("a", #","stale-date":110,"end-date":120"#)
    board.advance(to: 110)
    #expect(board["a"]?.staleDate == nil)
    #expect(board["a"]?.endDate == 120)
    board.advance(to: 120)
    #expect(board["a"]?.endDate == nil)
    #expect(board["a"]?.reason == "lifetime")
    try start("b", #","stale-date":130,"end-date":120"#)
    board.advance(to: 120)
    #expect(board["b"]?.staleDate == nil)
  }

  @Test("catches up with everything that passed meanwhile")
  mutating func catchingUp() throws {
    try start("a", #","stale-date":110,"end-date":120"#)
    #expect(board.advance(to: 100_000).map(\.state) == [.ended, .dismissed])
  }

  @Test("keeps showing while the state is told, and drops what it didn't name")
  mutating func wholeState() throws {
    try start("a")
    try start("b")
    board.beginState()
    try start("b")
    #expect(board.count == 2)
    #expect(board.endState() == ["a"])
    #expect(board.activities.map(\.id) == ["b"])
    #expect(board.endState().isEmpty)
  }
}
