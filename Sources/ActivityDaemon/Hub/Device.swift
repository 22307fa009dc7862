internal import ActivityCore

/// A device that said its name: what must outlive its session.
final class Device {
  let name: String
  /// Its present session; a device has one at most.
  weak var session: Session?
  /// The generations that it dismissed for itself, with the seq of each dismissal.
  var dismissed: [Generation: Seq] = [:]
  /// Kept over reconnects.
  var pace: Pace?
  var takeovers = Takeovers()

  init(name: String) {
    self.name = name
  }
}

/// All devices that have a session or have dismissed something that isn't forgotten.
struct Devices {
  private var byName: [Name: Device] = [:]
  /// Who dismissed a generation, to forget it with its tombstone.
  private var byGeneration: [Generation: [Device]] = [:]
  /// What they have dismissed, all of them together.
  private(set) var dismissalCount = 0

  mutating func device(named name: String) -> Device {
    if let device = byName[Name(name)] { return device }
    let device = Device(name: name)
    byName[Name(name)] = device
    return device
  }

  mutating func land(_ dismissal: DeviceDismissal, seq: Seq) {
    let device = device(named: dismissal.device)
    guard device.dismissed.updateValue(seq, forKey: dismissal.generation) == nil else { return }
    byGeneration[dismissal.generation, default: []].append(device)
    dismissalCount += 1
  }

  mutating func forget(_ generation: Generation) {
    for device in byGeneration.removeValue(forKey: generation) ?? [] {
      device.dismissed[generation] = nil
      dismissalCount -= 1
      release(device)
    }
  }

  /// Forgets the paces that have nothing to remember any more.
  mutating func forgetPaces(at now: Int64) {
    for device in byName.values where device.session == nil && device.pace != nil {
      guard device.pace?.isRefilled(at: now) ?? false else { continue }
      device.pace = nil
      release(device)
    }
  }

  /// Forgets a device that has nothing to be remembered for.
  ///
  /// A session that was superseded may outlive that, and its device have come back as another.
  mutating func release(_ device: Device) {
    guard device.session == nil, device.dismissed.isEmpty, device.pace == nil else { return }
    let name = Name(device.name)
    if byName[name] === device { byName[name] = nil }
  }
}

/// Notices that connections of one device take each other's place again and again: most often these
/// are two devices with one name.
struct Takeovers {
  /// So many of them, each within so many milliseconds of the one before, are a loop.
  private static let loopLength = 3
  private static let within: Int64 = 60_000

  private var count = 0
  /// Monotonic milliseconds.
  private var lastAt: Int64?

  enum Kind {
    case single
    /// It is a loop, and hasn't been called one before.
    case loop
    case knownLoop
  }

  mutating func note(at now: Int64) -> Kind {
    if let lastAt, now - lastAt > Self.within { count = 0 }
    lastAt = now
    count += 1
    return count < Self.loopLength ? .single : count == Self.loopLength ? .loop : .knownLoop
  }
}
