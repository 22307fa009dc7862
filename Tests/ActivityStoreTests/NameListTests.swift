import TestSupport
import Testing

@testable import ActivityStore

@Suite("A list of names")
struct NameListTests {
  @Test(
    "is a JSON array that SQLite takes apart, and reads back",
    arguments: [
      [], ["a"], ["a", "b"], [""], ["\"", "\\", "\\\""], ["[", "]", ","], ["é", "👨‍🍳"],
      ["\u{0}", "\n\u{1f}", "\u{7f}"],
    ])
  func roundTrip(names: [String]) throws {
    let text = NameList.text(names)
    #expect(NameList.names(Array(text.utf8)) == names)
    let folder = try TemporaryDirectory()
    try Files.write([], to: folder.file("empty.db"))
    let database = try Database(path: folder.file("empty.db"))
    let statement = try Statement("SELECT count(*) FROM json_each(?1)", in: database)
    try statement.bind(text, at: 1)
    #expect(try statement.step())
    #expect(statement.integer(at: 1) == Int64(names.count))
  }

  @Test(
    "is not read from anything else",
    arguments: [
      "", "[", "]", "[]x", "[a]", #"["a"#, #"["a",]"#, #"["a" "b"]"#, #"["\"#, #"["\u00"#,
    ])
  func damaged(text: String) {
    #expect(NameList.names(Array(text.utf8)) == nil)
  }
}
