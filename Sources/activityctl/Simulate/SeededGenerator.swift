/// Chance that can be repeated: the same seed gives the same numbers. (It is SplitMix64.)
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// One of several that have nothing to do with each other.
  init(seed: UInt64, stream: Int) {
    var origin = SeededGenerator(
      seed: seed ^ (UInt64(bitPattern: Int64(stream)) &* 0xd134_2543_de82_ef95))
    state = origin.next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// True with this probability.
  mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }
}
