internal import ActivityClient

/// What a simulation has seen so far.
struct Measurements {
  /// Writes by what was answered.
  var applied = 0
  var noops = 0
  /// Refusals that belong to the game, and others, by code.
  var refusedRightly: [String: Int] = [:]
  var refusedWrongly: [String: Int] = [:]
  /// Late writes that were carried out all the same.
  var acceptedWrongly = 0

  var events = 0
  /// Versions that a connected device wasn't sent, since a newer one was there already.
  var conflated = 0
  /// Versions that a device missed while it was away, and never needed.
  var skippedAway = 0
  /// How often a connection ended, of itself or by the device's will.
  var interruptions = 0
  /// Cursors that were of no use any more.
  var resets = 0
  var swipes = 0

  /// From a write to the event, at devices that are in step: of changes of priority 10, of those of
  /// priority 5, and of all at slow devices.
  var direct = Latencies()
  var gathered = Latencies()
  var slow = Latencies()
  /// From when something was due to the event that tells of it.
  var deadlines = Latencies()

  /// - Parameter isRight: whether it belongs to the game.
  mutating func refuse(_ code: String, isRight: Bool) {
    if isRight {
      refusedRightly[code, default: 0] += 1
    } else {
      refusedWrongly[code, default: 0] += 1
    }
  }
}

/// The time of a write, as its event brings it back: which microsecond it is, an even or an odd one,
/// says how urgent the write was.
enum WriteTime {
  static func stamp(_ now: Double, isUrgent: Bool) -> JSONValue {
    let microseconds = (now * 1e6 / 2).rounded() * 2 + (isUrgent ? 0 : 1)
    return JSONValue(microseconds / 1e6)
  }

  static func isUrgent(_ timestamp: Double) -> Bool {
    Int64(exactly: (timestamp * 1e6).rounded())?.isMultiple(of: 2) ?? true
  }
}
