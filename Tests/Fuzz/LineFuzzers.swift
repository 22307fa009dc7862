import ActivityCore
import ActivityWire

/// Activities of every state, for requests to meet.
private let scene = [
  #"{"op":"start","id":"a","attributes-type":"T","content-state":{"n":1},"channels":["c"]}"#,
  #"{"op":"start","id":"b","attributes-type":"T","content-state":1,"start-after":600}"#,
  #"{"op":"start","id":"c","attributes-type":"T","content-state":1,"stale-after":0}"#,
  #"{"op":"start","id":"d","attributes-type":"T","content-state":1}"#,
  #"{"op":"end","id":"d","content-state":2}"#,
  #"{"op":"start","id":"e","attributes-type":"T","content-state":1}"#,
  #"{"op":"cancel","id":"e"}"#,
]

extension MemoryDaemon {
  /// One in which something goes on, with a device that watches; answers the connection of a
  /// publisher.
  static func withScene() -> (daemon: MemoryDaemon, publisher: Int) {
    let daemon = MemoryDaemon()
    let publisher = daemon.connect(.admin)
    for line in scene { daemon.order(line, on: publisher) }
    let device = daemon.connect(.device)
    daemon.order(#"{"op":"subscribe","all":true}"#, on: device)
    return (daemon, publisher)
  }

  /// Lets everything happen that is still to come, and looks at it from outside.
  func seeTheEnd(_ publisher: Int) {
    let late = connect(.device)
    order(#"{"op":"subscribe","all":true,"follow":false}"#, on: late)
    order(#"{"op":"list"}"#, on: publisher)
    for hours: Int64 in [1, 8, 4, 25] { pass(seconds: hours * 3_600) }
    order(#"{"op":"list"}"#, on: publisher)
  }
}

/// Whatever a client may send, as it comes.
func fuzzLines(_ input: [UInt8]) {
  let (daemon, publisher) = MemoryDaemon.withScene()
  daemon.say(input, on: publisher)
  daemon.say([UInt8(ascii: "\n")], on: publisher)
  daemon.seeTheEnd(publisher)
}

/// The payload of a push, and of one that stands in the middle of other keys.
func fuzzPush(_ input: [UInt8]) {
  let payload = input.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
  let (daemon, publisher) = MemoryDaemon.withScene()
  for id in ["a", "new"] {
    let line = Array(#"{"op":"push","id":"\#(id)","aps":"#.utf8) + payload
    daemon.say(line + Array("}\n".utf8), on: publisher)
  }
  daemon.seeTheEnd(publisher)
}
