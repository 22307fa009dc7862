import ActivityCore
import ActivityWire
import TestSupport

extension Observation {
  /// For people, and to be compared byte by byte with another run's; nil for what says nothing new.
  var logLine: String? {
    switch self {
    case .connected(let party):
      "\(party.number) connects, \(party.role.rawValue) \(party.name ?? "without a name")"
    case .closed(let party, let isAgreed): "\(party.number) \(isAgreed ? "is closed" : "breaks")"
    case .asked(let party, let request): "\(party.number) > \(request.text)"
    case .offered: nil
    case .told(let party, let line, let durable): "\(party.number) < \(line.text) (\(durable))"
    case .heard(let party, let line):
      "\(party.number) reads up to \(line.members.members.first?.value.raw ?? "")"
    case .landed(let landing):
      "\(landing.mutations.count) mutations land after \(landing.seqBefore)"
    case .time(let instant): "it is \(instant.microseconds)"
    case .disturbed(let event): event.rawValue
    case .reopened(let items): "reopened with \(items.count) items"
    case .buffered(let party, let bytes): "\(bytes) bytes wait for \(party.number)"
    case .rested(let standings): "at rest with \(standings.count) devices"
    }
  }
}
