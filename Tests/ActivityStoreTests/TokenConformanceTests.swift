import ActivityCore
import ActivityStore
import Testing

@Suite("Every store: tokens")
struct TokenConformanceTests {
  @Test("a token comes back as it was given", arguments: StoreUnderTest.Kind.allCases)
  func roundTrip(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    try test.commit(.token(fullToken("b")), .token(token("a", name: "plain")))
    try test.reopen()
    #expect(try test.tokens() == [token("a", name: "plain"), fullToken("b")])
  }

  @Test("it takes a seq, and so does its end", arguments: StoreUnderTest.Kind.allCases)
  func seqs(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    let committed = try test.commit(
      start(sample()), .token(fullToken()), .revoke(key: "key"), .revoke(key: "unknown"))
    #expect(committed.results == [.seq(1), .seq(2), .seq(3), .seq(4)])
    #expect(try test.tokens().isEmpty)
    try test.reopen()
    #expect(test.store.identity.lastSeq == 4)
  }

  @Test("one of the same name takes its place", arguments: StoreUnderTest.Kind.allCases)
  func sameName(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    try test.commit(.token(token("a", name: "x")), .token(token("c", name: "y")))
    try test.commit(.token(token("b", name: "x")))
    #expect(try test.tokens().map(\.key) == ["b", "c"])
  }

  @Test(
    "all of them are told with what changed, whenever they did",
    arguments: StoreUnderTest.Kind.allCases)
  func changes(_ kind: StoreUnderTest.Kind) throws {
    let test = try StoreUnderTest(kind)
    try test.commit(.token(fullToken()), start(sample()))
    #expect(try test.changes(after: 2) == [.token(fullToken())])
  }
}
