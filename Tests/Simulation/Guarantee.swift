/// One of the guarantees of PROTOCOL.md: told everything that happens, it throws at what must not.
protocol Guarantee: SendableMetatype {
  /// As PROTOCOL.md calls it.
  static var name: String { get }

  init()

  /// The model has seen the observation already.
  mutating func observe(_ observation: Observation, _ model: Model) throws
}

/// A guarantee wasn't kept.
struct Violation: Error, CustomStringConvertible {
  var guarantee: String
  var description: String

  init(_ guarantee: any Guarantee.Type, _ text: String) {
    self.guarantee = guarantee.name
    description = "\(guarantee.name): \(text)"
  }
}

extension Guarantee {
  /// Says what went wrong unless `condition` holds.
  func demand(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    guard condition else { throw Violation(Self.self, text()) }
  }
}

/// As PROTOCOL.md calls them.
package var guaranteeNames: [String] { allGuarantees.map { $0.name } }

/// All of them, in the order of PROTOCOL.md.
var allGuarantees: [any Guarantee.Type] {
  [
    DurableThenVisible.self, NoAcknowledgedLoss.self, MonotonicVersions.self, AbsorbingEnd.self,
    OneFiringPerDeadline.self, ConflationEndsInTheTruth.self, CursorSoundness.self,
    ExactlyOnceIdempotency.self, TotalRelevanceOrder.self, BytesPassThrough.self,
    NoSilentRefusal.self, Privacy.self, BoundedMemory.self,
  ]
}
