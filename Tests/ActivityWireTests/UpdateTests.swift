import ActivityCore
@testable import ActivityWire
import Testing

/// Most updates bring only content, and are read without a look at what else there may be.
@Suite("Updates that say more than content")
struct UpdateTests {
  static let members: [Key: String] = [
    .relevanceScore: "5", .priority: "5", .staleDate: "1800000300", .staleAfter: "5",
    .startDate: "1800000300", .startAfter: "5", .alert: #""a""#, .url: #""u""#,
    .links: #"[{"url":"u"}]"#, .ifVersion: "3", .source: #""s""#,
    .sourcePriority: #"2,"source":"s""#, .sensitive: #"["content-state/a"]"#,
  ]

  private let plain = #""content-state":1,"timestamp":1800000000"#

  private func member(_ key: Key) throws -> String {
    "\"\(key.name)\":\(try #require(Self.members[key]))"
  }

  @Test("each key alone makes a difference", arguments: members.keys)
  func alone(_ key: Key) throws {
    let more = try command(#"{"op":"update","id":"a",\#(plain),\#(member(key))}"#)
    #expect(try more != command(#"{"op":"update","id":"a",\#(plain)}"#))
  }

  @Test("each key alone makes a difference in a push, in aps or beside it", arguments: members.keys)
  func pushed(_ key: Key) throws {
    let said = try command(#"{"op":"update","id":"a",\#(plain),\#(member(key))}"#)
    let head = #""op":"push","id":"a""#
    let isInside = KeySet.aps.contains(key)
    let inside = isInside ? ",\(try member(key))" : ""
    let beside = isInside ? "" : ",\(try member(key))"
    let isTaken = isInside || Operation.push.allowed.contains(key)
    let line = #"{\#(head),"aps":{"event":"update",\#(plain)\#(inside)}\#(beside)}"#
    if isTaken {
      #expect(try command(line) == said)
    } else if refusal(line) == nil {
      // What means nothing in a push is named, if it isn't refused.
      #expect(try write(line).ignored == [key.name])
    }
  }

  @Test("no key of an update is left out here")
  func all() {
    let plainKeys: Set<Key> = [.id, .contentState, .timestamp]
    #expect(Set(Self.members.keys) == Set(Operation.update.keys).subtracting(plainKeys))
  }
}
