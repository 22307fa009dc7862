import Glibc
import TestSupport
import Testing

@Suite("Restarts")
struct RestartTests {
  /// The activities' clock runs 500 times as fast: minutes pass in a fraction of a second. What is
  /// checked afterwards stays so for 4 h, half a minute of the machine's.
  @Test("what fell due while it was down has happened, in order, before the first client is served")
  func overdueDeadlines() throws {
    let place = try Installation()
    let first = try place.start("--time-scale", "500")
    let publisher = try first.publisher()
    let scheduled = try publisher.order(
      #"""
      {"op":"start","id":"scheduled","attributes-type":"T","content-state":1,"start-after":60,\#
      "stale-after":60,"lifetime":120}
      """#)
    _ = try publisher.order(
      #"{"op":"start","id":"ended","attributes-type":"T","content-state":1}"#)
    let ended = try publisher.order(#"{"op":"end","id":"ended","dismissal-after":150}"#)
    first.process.kill()
    let start = try #require(scheduled["start-date"]?.number)
    let dismissal = try #require(ended["dismissal-date"]?.number)
    // Three minutes of the activities' clock.
    usleep(180 * 1_000_000 / 500)

    let second = try place.start("--time-scale", "500")
    let client = try second.publisher()
    let item = try #require(
      try client.order(#"{"op":"get","id":"scheduled"}"#)["activity"]?.object)
    // Scheduled, active, stale, ended: each was a change of its own.
    #expect(item.version == 4)
    #expect(item.state == "ended")
    #expect(item["reason"]?.string == "lifetime")
    #expect(item["at"]?.number == start + 120)
    #expect(item["dismissal-date"]?.number == start + 120 + 14_400)
    let tombstone = try #require(
      try client.order(#"{"op":"get","id":"ended"}"#)["activity"]?.object)
    #expect(tombstone.state == "dismissed")
    #expect(tombstone["dismissed-at"]?.number == dismissal)
    #expect(tombstone["at"]?.number == dismissal)
    #expect(try client.order(#"{"op":"ping"}"#)["seq"]?.integer == 7)
  }

  @Test("a device that resumes over a restart is told what fell due, with its true time")
  func resumingOverDeadlines() throws {
    let place = try Installation()
    let first = try place.start("--time-scale", "500")
    let device = try first.device()
    var display = Display()
    try display.subscribe(device)
    let start = try first.publisher().order(
      #"""
      {"op":"start","id":"a","attributes-type":"T","content-state":1,"stale-after":60,\#
      "lifetime":120}
      """#)
    while display.cards.isEmpty { try display.take(device.next()) }
    first.process.kill()
    usleep(130 * 1_000_000 / 500)

    let second = try place.start("--time-scale", "500")
    let again = try second.device()
    _ = try again.order(#"{"op":"subscribe","all":true,"since":"\#(display.cursor ?? "")"}"#)
    let end = try again.next("end")
    #expect(end["at"] == start["end-date"])
    #expect(end.version == 3)
    #expect(try again.next("synced")["count"]?.integer == 1)
  }

  @Test("a device's own dismissal is kept, over a crash too")
  func ownDismissal() throws {
    let place = try Installation()
    let first = try place.start()
    let publisher = try first.publisher()
    for id in ["a", "b"] {
      _ = try publisher.order(
        #"{"op":"start","id":"\#(id)","attributes-type":"T","content-state":1}"#)
    }
    let device = try first.device()
    _ = try device.order(#"{"op":"hello","device":"phone"}"#)
    _ = try device.order(#"{"op":"dismiss","id":"a"}"#)
    first.process.kill()

    let second = try place.start()
    let phone = try second.device()
    _ = try phone.order(#"{"op":"hello","device":"phone"}"#)
    _ = try phone.order(#"{"op":"subscribe","all":true}"#)
    #expect(try phone.next("start")["id"]?.string == "b")
    _ = try phone.next("synced")
    let watch = try second.device()
    _ = try watch.order(#"{"op":"hello","device":"watch"}"#)
    _ = try watch.order(#"{"op":"subscribe","all":true}"#)
    #expect(try watch.next("start")["id"]?.string == "a")
    // An update of it concerns the watch, and not the phone: what the phone hears next is of b.
    let again = try second.publisher()
    _ = try again.order(#"{"op":"update","id":"a","content-state":2}"#)
    _ = try again.order(#"{"op":"update","id":"b","content-state":2}"#)
    #expect(try phone.next("update")["id"]?.string == "b")
  }

  @Test(
    "a cursor is good over stops and crashes, and a new epoch voids it", arguments: [true, false])
  func cursor(isStopped: Bool) throws {
    let place = try Installation()
    let first = try place.start()
    let publisher = try first.publisher()
    for id in ["a", "b", "c"] {
      _ = try publisher.order(
        #"{"op":"start","id":"\#(id)","attributes-type":"T","content-state":1}"#)
    }
    var display = Display()
    try display.subscribe(first.device())
    _ = try publisher.order(#"{"op":"update","id":"b","content-state":2}"#)
    _ = try publisher.order(#"{"op":"cancel","id":"c"}"#)
    if isStopped { #expect(try first.stop() == .exited(0)) } else { first.process.kill() }

    let subscribe = #"{"op":"subscribe","all":true,"since":"\#(display.cursor ?? "")"}"#
    let second = try place.start()
    let device = try second.device()
    _ = try device.order(subscribe)
    #expect(try device.next("dismiss")["id"]?.string == "c")
    #expect(try device.next("update")["id"]?.string == "b")
    #expect(try device.next("synced")["count"]?.integer == 2)
    #expect(try second.stop() == .exited(0))

    let third = try place.start("--new-epoch")
    let copy = try third.device()
    _ = try copy.order(subscribe)
    #expect(try copy.next("reset")["reason"]?.string == "epoch")
    #expect(try copy.next("start")["id"]?.string == "a")
  }

  @Test("the answer to a keyed request is kept over a crash")
  func keptAnswer() throws {
    let place = try Installation()
    let request =
      #"{"op":"start","attributes-type":"T","content-state":1,"idempotency-key":"k","ref":1}"#
    let first = try place.start()
    let answer = try first.publisher().order(request)
    first.process.kill()
    let second = try place.start()
    let again = try second.publisher().order(request)
    #expect(again["replayed"]?.raw == "true")
    // Its id was made up, once.
    for key in ["id", "generation", "version", "seq"] { #expect(again[key] == answer[key]) }
    let other = try second.publisher().ask(
      #"{"op":"start","attributes-type":"T","content-state":2,"idempotency-key":"k"}"#)
    #expect(other.errorCode == "idempotency-conflict")
  }
}
