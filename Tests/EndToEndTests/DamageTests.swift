import TestSupport
import Testing

@Suite("A damaged store")
struct DamageTests {
  private let place: Installation
  private var path: String { place.statePath + "/activityd.db" }

  /// With activities, and nothing left in the log.
  init() throws {
    place = try Installation()
    let daemon = try place.start()
    let publisher = try daemon.publisher()
    for number in 0..<200 {
      _ = try publisher.order(
        #"{"op":"start","id":"\#(number)","attributes-type":"T","content-state":1}"#)
    }
    #expect(try daemon.stop() == .exited(0))
  }

  private enum Damage: CaseIterable {
    case cutInHalf, cutToAPage, pagesOverwritten, schemaOfTheFuture

    func befall(_ bytes: inout [UInt8]) {
      switch self {
      case .cutInHalf: bytes.removeLast(bytes.count / 2)
      case .cutToAPage: bytes.removeLast(bytes.count - 4_096)
      case .pagesOverwritten:
        for index in bytes.indices.dropFirst(4_096) { bytes[index] ^= 0x55 }
      case .schemaOfTheFuture: bytes[63] = 99
      }
    }

    var words: String {
      self == .schemaOfTheFuture ? "newer activityd" : "The file was left as it is"
    }
  }

  @Test(
    "is told with exit code 74 and what to do, and stays as it is", arguments: Damage.allCases)
  private func refusal(damage: Damage) throws {
    var bytes = try Files.bytes(of: path)
    damage.befall(&bytes)
    try Files.write(bytes, to: path)
    // However often somebody tries.
    for _ in 0..<2 {
      let result = try place.failToStart()
      #expect(result.end == .exited(74))
      #expect(result.log.contains(path))
      #expect(result.log.contains(damage.words))
      #expect(try Files.bytes(of: path) == bytes)
      #expect(Files.mode(of: place.socketPath) == nil)
    }
    // What the message advises.
    try Files.move(path, to: path + ".damaged")
    let daemon = try place.start()
    #expect(try daemon.publisher().order(#"{"op":"ping"}"#)["seq"]?.integer == 0)
    #expect(try Files.bytes(of: path + ".damaged") == bytes)
  }
}

@Suite("A restored store")
struct RestoredTests {
  @Test("copied back by hand resets those who know more, and doesn't tell them what is wrong")
  func newerCursors() throws {
    let place = try Installation()
    let first = try place.start()
    let publisher = try first.publisher()
    _ = try publisher.order(#"{"op":"start","id":"a","attributes-type":"T","content-state":1}"#)
    #expect(try first.stop() == .exited(0))
    let path = place.statePath + "/activityd.db"
    let copy = try Files.bytes(of: path)

    let second = try place.start()
    let again = try second.publisher()
    _ = try again.order(#"{"op":"update","id":"a","content-state":2}"#)
    _ = try again.order(#"{"op":"start","id":"b","attributes-type":"T","content-state":1}"#)
    var display = Display()
    try display.subscribe(second.device())
    #expect(display.cards.count == 2)
    #expect(try second.stop() == .exited(0))
    try Files.write(copy, to: path)

    let third = try place.start()
    try display.subscribe(third.device())
    #expect(display.resets == 1)
    #expect(display.cards.count == 1)
    #expect(display.cards["a"]?.content == "1")
  }
}
