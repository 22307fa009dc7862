import ActivityCore
import Testing

@Suite("Reading")
struct ReadingTests {
  let desk = Desk()

  private func interest(_ change: (inout Interest) -> Void) -> Interest {
    var interest = Interest()
    change(&interest)
    return interest
  }

  private func shown(_ change: (inout Interest) -> Void) -> [String] {
    desk.coordinator.shown(in: interest(change)).map(\.activity.id)
  }

  @Test("an activity is found by id, channel, type and all, once however many sets hold it")
  func indexes() {
    desk.start("a") { $0.channels = ["x", "y"] }
    desk.start("b") { start in
      start.channels = ["y"]
      start.attributesType = "Match"
    }
    #expect(shown { $0.channels = ["x"] } == ["a"])
    #expect(shown { $0.channels = ["y"] } == ["a", "b"])
    #expect(shown { $0.types = ["Match"] } == ["b"])
    #expect(shown { $0.ids = ["a", "nobody"] } == ["a"])
    #expect(shown { $0.all = true } == ["a", "b"])
    let several = shown { interest in
      interest.ids = ["a"]
      interest.channels = ["x", "y"]
      interest.types = ["Ride"]
    }
    #expect(several == ["a", "b"])
    #expect(shown { _ in } == [])
  }

  @Test("what is dismissed leaves the indexes; a new generation enters by its own names")
  func indexesFollow() {
    desk.start("a") { $0.channels = ["x"] }
    desk.start("a", "1") { start in
      start.ifExists = .replace
      start.channels = ["y"]
      start.attributesType = "Match"
    }
    #expect(shown { $0.channels = ["x"] } == [])
    #expect(shown { $0.types = ["Ride"] } == [])
    #expect(shown { $0.channels = ["y"] } == ["a"])
    #expect(shown { $0.types = ["Match"] } == ["a"])
    desk.cancel("a")
    #expect(shown { $0.channels = ["y"] } == [])
    #expect(shown { $0.ids = ["a"] } == [])
  }

  @Test("what changed after a seq is told from what did not")
  func changedAfter() {
    desk.start("a")
    desk.start("b")
    desk.update("a", "1")
    let all = interest { $0.all = true }
    func changed(after seq: Seq) -> [String] {
      desk.coordinator.shown(in: all, changedAfter: seq).map(\.activity.id)
    }
    #expect(changed(after: 0) == ["a", "b"])
    #expect(changed(after: 2) == ["a"])
    #expect(changed(after: 3) == [])
  }

  @Test("tombstones come in order of seq, those after a seq, in view and once shown")
  func tombstones() {
    for id in ["a", "b", "c"] { desk.start(id) { $0.channels = [id] } }
    desk.start("never") { $0.start = .after(.hours(1)) }
    for id in ["b", "never", "a", "c"] { desk.cancel(id) }
    let all = interest { $0.all = true }
    func dismissed(_ interest: Interest, after seq: Seq) -> [String] {
      desk.coordinator.dismissed(in: interest, after: seq).map(\.activity.id)
    }
    #expect(dismissed(all, after: 0) == ["b", "a", "c"])
    #expect(dismissed(all, after: 5) == ["a", "c"])
    #expect(dismissed(all, after: 8) == [])
    #expect(dismissed(interest { $0.channels = ["c", "b"] }, after: 0) == ["b", "c"])
  }

  @Test("removed tombstones are found no more, however many went")
  func removedTombstones() {
    for index in 0..<200 {
      desk.now = at(Double(index))
      desk.start("r\(index)")
      desk.cancel("r\(index)")
    }
    let all = interest { $0.all = true }
    desk.pass(to: hours(24) + 149)
    let left = desk.coordinator.dismissed(in: all, after: 0).map(\.activity.id)
    #expect(left == (150..<200).map { "r\($0)" })
    #expect(desk.coordinator.dismissed(in: all, after: 398).map(\.activity.id) == ["r199"])
  }

  @Test("a row that is referred to says that it was forgotten")
  func forgottenRow() throws {
    desk.start()
    desk.cancel()
    let row = try #require(desk.coordinator.row(of: "ride"))
    #expect(!row.isForgotten)
    desk.pass(to: hours(24))
    #expect(row.isForgotten)
  }

  @Test("under an id a list shows its newest generation that meets the conditions")
  func listedUnderAnID() {
    for (index, channel) in ["x", "y", "z"].enumerated() {
      desk.now = at(Double(index))
      desk.start("ride", "\(index)") { start in
        start.channels = [channel]
        start.ifExists = .replace
      }
    }
    func listed(_ channels: Set<Name>?, _ states: Set<State>) -> [String]? {
      let filter = ListFilter(channels: channels, types: nil, states: states)
      return desk.coordinator.row(of: "ride", in: filter)?.activity.channels
    }
    let every = Set(State.allCases)
    #expect(listed(nil, every) == ["z"])
    #expect(listed(nil, [.dismissed]) == ["y"])
    #expect(listed(["x"], [.dismissed]) == ["x"])
    #expect(listed(["x"], every) == ["x"])
    #expect(listed(["x"], every.subtracting([.dismissed])) == nil)
    #expect(listed(["z"], [.dismissed]) == nil)
    // The first was dismissed at 1, the second at 2.
    desk.pass(to: hours(24) + 1)
    #expect(listed(["x"], every) == nil)
    #expect(listed(["y"], every) == ["y"])
  }

  @Test("a list must meet every condition given")
  func list() {
    desk.start("a") { $0.channels = ["x"] }
    desk.start("b") { start in
      start.channels = ["x"]
      start.attributesType = "Match"
    }
    desk.start("p") { $0.start = .after(.hours(1)) }
    desk.start("e")
    desk.end("e")
    desk.start("d") { $0.channels = ["x"] }
    desk.cancel("d")
    func listed(_ channels: Set<Name>?, _ types: Set<Name>?, _ states: Set<State>)
      -> [String]
    {
      let filter = ListFilter(channels: channels, types: types, states: states)
      return desk.coordinator.listed(filter).map(\.activity.id)
    }
    let every = Set(State.allCases)
    #expect(listed(nil, nil, every) == ["a", "b", "d", "e", "p"])
    #expect(listed(["x"], nil, every) == ["a", "b", "d"])
    #expect(listed(["x"], ["Ride"], every) == ["a", "d"])
    #expect(listed(nil, ["Match"], every) == ["b"])
    #expect(listed(nil, nil, [.pending, .ended]) == ["e", "p"])
    #expect(listed(nil, nil, [.dismissed]) == ["d"])
    #expect(listed([], nil, every) == [])
  }
}
