/// A 128-bit FNV-1a digest: the same on every machine and after every restart.
///
/// It recognises repeated requests and subscriptions; it is not meant to withstand an adversary,
/// who could only fool himself. Parameters: RFC 9923 (FNV).
package struct Digest: Hashable, Sendable {
  package var value: UInt128

  package init() { value = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d }

  package init(value: UInt128) { self.value = value }

  /// Adds bytes and a separator, so that ("ab", "c") differs from ("a", "bc").
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { mix(byte) }
    // No UTF-8 text holds this byte.
    mix(0xff)
  }

  package mutating func add(_ text: String) { add(text.utf8) }

  private mutating func mix(_ byte: UInt8) {
    value = (value ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
  }
}
